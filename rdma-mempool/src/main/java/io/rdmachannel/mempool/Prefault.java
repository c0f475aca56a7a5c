// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Touches every page of new memory, by several threads at once: the kernel zeroes a page when it is first touched, and
 * does it here and not in the first message, nor in the one thread that registers.
 */
final class Prefault {
    /** Less than this is not worth a thread. */
    private static final long MIN_BYTES_PER_THREAD = 4L << 20;

    private Prefault() {}

    static void run(MemorySegment memory, long pageBytes, int maxThreads, int node) {
        long pages = Math.ceilDiv(memory.byteSize(), pageBytes);
        int count = (int) Math.clamp(memory.byteSize() / MIN_BYTES_PER_THREAD, 1, Math.min(maxThreads, pages));
        if (count == 1 && node == NumaNodes.NONE) {
            touch(memory, pageBytes, 0, pages);
            return;
        }
        List<Thread> threads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long first = pages * i / count;
            long end = pages * (i + 1) / count;
            threads.add(Thread.ofPlatform()
                    .name("rdma-mempool-prefault-" + i)
                    .daemon()
                    .start(() -> {
                        if (node != NumaNodes.NONE) {
                            NumaNodes.runOn(node);
                        }
                        touch(memory, pageBytes, first, end);
                    }));
        }
        joinAll(threads);
    }

    private static void touch(MemorySegment memory, long pageBytes, long first, long end) {
        for (long page = first; page < end; page++) {
            memory.set(ValueLayout.JAVA_BYTE, page * pageBytes, (byte) 0);
        }
    }

    /** The memory must not be given away while a thread still writes to it, so an interrupt has to wait. */
    private static void joinAll(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
