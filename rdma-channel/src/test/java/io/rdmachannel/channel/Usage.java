// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What this process uses that only grows when something is forgotten.
 *
 * @param descriptors open files and sockets
 * @param threads of the platform
 * @param heapKiB after a collection
 * @param nativeKiB what {@code malloc} has given out
 * @param mappings of memory
 */
record Usage(long descriptors, long threads, long heapKiB, long nativeKiB, long mappings) {
    /** Of the runtime itself: a descriptor of this very count, threads that come and go, caches. */
    private static final long FEW = 8;

    private static final long HEAP_KIB = 4096;
    /** The compilers' own memory and compiled code's tables come and go by megabytes. */
    private static final long NATIVE_KIB = 16 * 1024;
    /** The runtime's: arenas of threads, parts of the heap. */
    private static final long MAPPINGS = 100;

    static Usage now() throws IOException {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heap = (runtime.totalMemory() - runtime.freeMemory()) / 1024;
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"));
                Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return new Usage(
                    files.count(),
                    Thread.getAllStackTraces().size(),
                    heap,
                    NativeHeap.bytesInUse() / 1024,
                    mappings.count());
        }
    }

    /** What the compilers have borrowed comes back soon, what was forgotten never. */
    void requireNotMuchMoreThan(Usage before) throws IOException {
        Deadline deadline = Deadline.usual();
        Usage latest = this;
        while (latest.isMuchMoreThan(before) && !deadline.isOver()) {
            deadline.pause();
            latest = now();
        }
        latest.require(before);
    }

    private boolean isMuchMoreThan(Usage before) {
        return descriptors > before.descriptors + FEW
                || threads > before.threads + FEW
                || heapKiB > before.heapKiB + HEAP_KIB
                || nativeKiB > before.nativeKiB + NATIVE_KIB
                || mappings > before.mappings + MAPPINGS;
    }

    private void require(Usage before) {
        assertThat(descriptors).as("descriptors").isLessThanOrEqualTo(before.descriptors + FEW);
        assertThat(threads).as("threads").isLessThanOrEqualTo(before.threads + FEW);
        assertThat(heapKiB).as("heap").isLessThanOrEqualTo(before.heapKiB + HEAP_KIB);
        assertThat(nativeKiB).as("native memory").isLessThanOrEqualTo(before.nativeKiB + NATIVE_KIB);
        assertThat(mappings).as("mappings of memory").isLessThanOrEqualTo(before.mappings + MAPPINGS);
    }
}
