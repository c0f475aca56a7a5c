// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Gets everything back that a queue pair has, before it is destroyed. */
final class LinkDrain {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Of a queue that has lost completions, or a device that is gone, nothing more may come. */
    private static final long BROKEN_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    /** Soft-RoCE flushes some receives only when the queue pair is moved once more. */
    private static final long NUDGE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final OpenDevice device;
    private final RdmaLink link;

    LinkDrain(OpenDevice device, RdmaLink link) {
        this.device = device;
        this.link = link;
    }

    /** Returns whether everything came back; if not, destroying the queue pair makes the device let go of it. */
    boolean run() {
        if (!moveToError() || link.endpoint().sends().postMarker() != PostResult.POSTED) {
            return false;
        }
        long start = System.nanoTime();
        long nudged = start;
        while (!link.isDrained()) {
            int taken = device.drain(link);
            if (taken < 0) {
                return false;
            }
            boolean progress = taken > 0;
            long now = System.nanoTime();
            if (now - start > (device.isBroken() ? BROKEN_LIMIT_NANOS : LIMIT_NANOS)) {
                return false;
            }
            if (!progress && now - nudged > NUDGE_NANOS) {
                nudged = now;
                moveToError();
            } else if (!progress) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        // Receives of a queue that others share are not counted; what has come back of them must not be thrown away.
        int taken = 1;
        while (taken > 0) {
            taken = device.drain(link);
        }
        return true;
    }

    /** A device that is gone refuses, and so does a queue pair whose thread has ended: it can only be destroyed. */
    private boolean moveToError() {
        try {
            link.endpoint().queuePair().moveToError();
            return true;
        } catch (VerbsException | WrongThreadException refused) {
            return false;
        }
    }
}
