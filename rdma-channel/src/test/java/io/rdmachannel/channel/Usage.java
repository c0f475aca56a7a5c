// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

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
 */
record Usage(long descriptors, long threads, long heapKiB) {
    /** Of the runtime itself: a descriptor of this very count, threads that come and go, caches. */
    private static final long FEW = 8;

    private static final long HEAP_KIB = 4096;

    static Usage now() throws IOException {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heap = (runtime.totalMemory() - runtime.freeMemory()) / 1024;
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return new Usage(files.count(), Thread.getAllStackTraces().size(), heap);
        }
    }

    void requireNotMuchMoreThan(Usage before) {
        assertThat(descriptors).as("descriptors").isLessThanOrEqualTo(before.descriptors + FEW);
        assertThat(threads).as("threads").isLessThanOrEqualTo(before.threads + FEW);
        assertThat(heapKiB).as("heap").isLessThanOrEqualTo(before.heapKiB + HEAP_KIB);
    }
}
