// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.overhead;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles the loopback verbs library and the loops in C over it, and makes this process use them. To be used before
 * anything else of verbs; needs gcc, libibverbs-dev, and the working directory at the top of a checkout.
 */
final class LoopLibrary {
    private static final String PROPERTY = "io.rdmachannel.libibverbs";
    private static final Path LOOPBACK = Path.of("rdma-core-ffi/src/testing/c/loopback/build");
    private static final Path LOOPS = Path.of("rdma-bench/src/main/c/verbs_loop.c");
    private static final Linker LINKER = Linker.nativeLinker();

    private final SymbolLookup symbols;
    private final MemorySegment loop;

    @SuppressWarnings("restricted")
    private LoopLibrary(Path loops) {
        this.symbols = SymbolLookup.libraryLookup(loops, Arena.global());
        this.loop = open();
    }

    /** Compiles what is needed and loads it. */
    static LoopLibrary use() {
        Path folder = folder();
        Path verbs = folder.resolve("libibverbs.so.1");
        run("sh", LOOPBACK.toString(), verbs.toString());
        System.setProperty(PROPERTY, verbs.toString());
        return compiled(folder, verbs.toString(), "-Wl,-rpath," + folder);
    }

    /** The loops over the machine's own verbs library and its first device. */
    static LoopLibrary onDevice() {
        return compiled(folder(), "-libverbs");
    }

    private static LoopLibrary compiled(Path folder, String... verbs) {
        Path loops = folder.resolve("libloop.so");
        List<String> command = new ArrayList<>(
                List.of("gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", loops.toString()));
        command.add(LOOPS.toString());
        command.addAll(List.of(verbs));
        run(command.toArray(String[]::new));
        return new LoopLibrary(loops);
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("rdma-loop");
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /** A loop of verbs_loop.c, with a number of rounds and further numbers. */
    @SuppressWarnings("restricted")
    MethodHandle handle(String name, int numbers) {
        FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
        for (int i = 0; i < numbers; i++) {
            descriptor = descriptor.appendArgumentLayouts(ValueLayout.JAVA_LONG);
        }
        return LINKER.downcallHandle(symbols.findOrThrow(name), descriptor).bindTo(loop);
    }

    @SuppressWarnings("restricted")
    private MemorySegment open() {
        MethodHandle handle =
                LINKER.downcallHandle(symbols.findOrThrow("loop_open"), FunctionDescriptor.of(ValueLayout.ADDRESS));
        try {
            MemorySegment opened = (MemorySegment) handle.invokeExact();
            if (opened.address() == 0) {
                throw new IllegalStateException("the loop in C could not connect its two queue pairs");
            }
            return opened;
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static void run(String... command) {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command)
                        + " failed; run this at the top of a checkout, with gcc and libibverbs-dev installed");
            }
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while compiling", interrupted);
        }
    }
}
