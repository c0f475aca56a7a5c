// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        List<String> grown = grownSince(before);
        while (!grown.isEmpty() && !deadline.isOver()) {
            deadline.pause();
            grown = now().grownSince(before);
        }
        assertThat(grown).as("what has grown since " + before).isEmpty();
    }

    private List<String> grownSince(Usage before) {
        List<String> grown = new ArrayList<>();
        compare("descriptors", descriptors, before.descriptors + FEW, grown);
        compare("threads", threads, before.threads + FEW, grown);
        compare("KiB of heap", heapKiB, before.heapKiB + HEAP_KIB, grown);
        compare("KiB of native memory", nativeKiB, before.nativeKiB + NATIVE_KIB, grown);
        compare("mappings of memory", mappings, before.mappings + MAPPINGS, grown);
        return grown;
    }

    private static void compare(String what, long count, long limit, List<String> grown) {
        if (count > limit) {
            grown.add(count + " " + what + ", where " + limit + " were allowed");
        }
    }
}
