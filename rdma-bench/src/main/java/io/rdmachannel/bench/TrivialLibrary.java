// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;

/** A C library with a function that does nothing, compiled by gcc when a benchmark starts. */
final class TrivialLibrary {
    private static final String SOURCE = """
            int trivial_poll(void *cq, int entries, void *wc) { (void) cq; (void) wc; return entries; }
            long trivial_loop(int (*poll)(void *, int, void *), int calls) {
                long sum = 0;
                for (int i = 0; i < calls; i++) sum += poll((void *) 1, i, (void *) 2);
                return sum;
            }
            """;
    private static final SymbolLookup SYMBOLS = load();

    private TrivialLibrary() {}

    static MemorySegment symbol(String name) {
        return SYMBOLS.findOrThrow(name);
    }

    static MemorySegment memory(long bytes) {
        return Arena.global().allocate(bytes, Long.BYTES);
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup load() {
        try {
            Path folder = Files.createTempDirectory("rdma-bench");
            Path source = Files.writeString(folder.resolve("trivial.c"), SOURCE);
            Path library = folder.resolve("libtrivial.so");
            Process gcc = new ProcessBuilder(
                            "gcc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                    .inheritIO()
                    .start();
            if (gcc.waitFor() != 0) {
                throw new IllegalStateException("gcc could not compile " + source + "; is it installed?");
            }
            return SymbolLookup.libraryLookup(library, Arena.global());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("gcc is needed for this benchmark: apt-get install gcc", unreadable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while gcc ran", interrupted);
        }
    }
}
