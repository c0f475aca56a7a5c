// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a loop that has one of its own; runs on the wanted processor. */
final class LoopThread extends Thread {
    private static final Logger LOGGER = LoggerFactory.getLogger(EventLoop.class);
    private static final int MASK_BYTES = 1024;

    private final int processor;

    LoopThread(PollerConfig config, Runnable work) {
        super(work, "rdma-channel-poller-" + config.name());
        this.processor = config.processor();
        setDaemon(true);
    }

    @Override
    public void run() {
        if (processor >= 0) {
            pin();
        }
        super.run();
    }

    /** Where that is impossible the thread runs anywhere, which is slower and no failure. */
    private void pin() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            mask.set(ValueLayout.JAVA_BYTE, processor / Byte.SIZE, (byte) (1 << processor % Byte.SIZE));
            if (Libc.sched_setaffinity(0, MASK_BYTES, mask) != 0) {
                LOGGER.warn(
                        "{} does not run on processor {}: sched_setaffinity failed with {}",
                        getName(),
                        processor,
                        Errno.describe(Errno.captured()));
            }
        } catch (RuntimeException | LinkageError impossible) {
            LOGGER.warn("{} does not run on processor {}: {}", getName(), processor, impossible.toString());
        }
    }
}
