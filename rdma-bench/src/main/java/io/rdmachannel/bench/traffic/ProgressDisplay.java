// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A bar on standard error that shows how far a run is, if that is a terminal and the run takes longer than two seconds.
 * Its thread looks twice a second.
 */
final class ProgressDisplay implements AutoCloseable {
    private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int LOOK_MILLIS = 500;

    private final Thread thread;

    private ProgressDisplay(Thread thread) {
        this.thread = thread;
    }

    /**
     * Begins to look.
     *
     * @param label what is running
     * @param limit when it will end
     * @param progress how far it is
     * @return ends the bar when closed
     */
    static ProgressDisplay start(String label, RunLimit limit, Progress progress) {
        if (!isTerminal(Path.of("/proc/self/fd/2"))) {
            return new ProgressDisplay(null);
        }
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name("progress")
                .start(() -> show(label, limit, progress, System.nanoTime()));
        return new ProgressDisplay(thread);
    }

    /** Says whether an open file is a terminal, by the name that Linux has for it. */
    static boolean isTerminal(Path descriptor) {
        try {
            String name = Files.readSymbolicLink(descriptor).toString();
            return name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || name.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void show(String label, RunLimit limit, Progress progress, long begin) {
        try {
            TimeUnit.NANOSECONDS.sleep(BEGIN_NANOS);
            boolean timed = limit.iterations() == Long.MAX_VALUE;
            long most = timed ? TimeUnit.NANOSECONDS.toSeconds(limit.nanos()) : limit.iterations();
            try (ProgressBar bar = bar(label, most, timed ? " s" : "")) {
                while (true) {
                    long passed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
                    bar.stepTo(Math.min(most, timed ? passed : progress.done()));
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static ProgressBar bar(String label, long most, String unit) {
        return new ProgressBarBuilder()
                .setTaskName(label)
                .setInitialMax(most)
                .setUnit(unit, 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(LOOK_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(System.err))
                .build();
    }
}
