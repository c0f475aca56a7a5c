// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** How an event loop's thread sleeps, and how others wake it. */
final class Sleeper {
    private final LinkSources sources;
    /** Only for loops that have both transports; the thread sleeps at the first source, and these wake it there. */
    private final Map<LinkSource, Watcher> watchers = new HashMap<>();

    private volatile Thread sleeping;
    private volatile boolean wanted;

    Sleeper(LinkSources sources) {
        this.sources = sources;
    }

    /** From here on {@link #wakeIfSleeping} wakes. */
    void begin() {
        sleeping = Thread.currentThread();
    }

    void end() {
        sleeping = null;
    }

    void sleep(long nanos) {
        LinkSource[] all = sources.all();
        if (nanos <= 0 || wanted) {
            return;
        }
        if (all.length == 0) {
            LockSupport.parkNanos(nanos);
        } else if (all.length == 1) {
            all[0].await(nanos);
        } else {
            for (int i = 1; i < all.length; i++) {
                watcher(all[i], all[0]).watch();
            }
            all[0].await(nanos);
        }
    }

    /** Ends the watchers; no source may be awaited any more. */
    void close() {
        watchers.values().forEach(Watcher::close);
    }

    private Watcher watcher(LinkSource source, LinkSource first) {
        return watchers.computeIfAbsent(source, watched -> new Watcher(watched, first));
    }

    /** Ends a sleep, the present or the next one. */
    void wakeUp() {
        wanted = true;
        wakeIfSleeping();
    }

    boolean takeWakeUp() {
        boolean was = wanted;
        if (was) {
            wanted = false;
        }
        return was;
    }

    void wakeIfSleeping() {
        Thread thread = sleeping;
        if (thread != null) {
            for (LinkSource source : sources.all()) {
                source.wakeUp();
            }
            LockSupport.unpark(thread);
        }
    }
}
