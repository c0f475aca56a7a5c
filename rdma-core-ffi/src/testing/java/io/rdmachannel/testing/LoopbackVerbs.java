// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.Verbs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The stand-in for {@code libibverbs.so.1} in {@code src/testing/c/loopback}: compiles it when its sources have changed,
 * and makes this process use it. A process uses one verbs library for good, so this comes before anything else of verbs.
 */
public final class LoopbackVerbs {
    private static final String PROPERTY = "io.rdmachannel.libibverbs";
    private static final Path SOURCES = Path.of("rdma-core-ffi/src/testing/c/loopback");
    private static final String FILE = "libibverbs.so.1";
    private static final String DEVICE = "loopback0";

    private static SymbolLookup symbols;

    private LoopbackVerbs() {}

    /**
     * Makes this process use the stand-in. Idempotent; skips the test where there is no compiler.
     *
     * @throws AssertionError if it does not compile, or another verbs library is in use already
     */
    public static synchronized void use() {
        if (symbols != null) {
            return;
        }
        Path library = build(Path.of("target"));
        System.setProperty(PROPERTY, library.toString());
        Verbs.unavailabilityReason().ifPresent(reason -> {
            throw new AssertionError(reason);
        });
        if (!isDevicePresent()) {
            throw new AssertionError("another verbs library was loaded before " + library
                    + ": these tests need a process of their own. Tag them \"loopback\", as @LoopbackTest does.");
        }
        symbols = open(library);
    }

    /** Says whether this process uses it. */
    public static synchronized boolean isInUse() {
        return symbols != null;
    }

    /**
     * Compiles the library, unless that has been done.
     *
     * @param target the folder below which it goes
     * @return its absolute path, which changes with the sources
     */
    public static Path build(Path target) {
        Path sources = sources();
        Path folder = target.toAbsolutePath().resolve("loopback").resolve(key(sources));
        Path library = folder.resolve(FILE);
        if (!Files.exists(library)) {
            compile(sources, folder, library);
        }
        return library;
    }

    /** The folder of its sources, found from the one that the tests run in, which is below the top of the working copy. */
    public static Path sources() {
        Path start = Path.of("").toAbsolutePath();
        return Stream.iterate(start, folder -> folder != null, Path::getParent)
                .map(folder -> folder.resolve(SOURCES))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow(() -> new AssertionError("neither " + start + " nor a folder above it holds " + SOURCES
                        + ": run this test inside a checkout of the repository"));
    }

    /** A function of {@code loopback.h}. */
    @SuppressWarnings("restricted")
    static synchronized MethodHandle function(String name, FunctionDescriptor descriptor) {
        if (symbols == null) {
            throw new IllegalStateException("the stand-in is not in use; call LoopbackVerbs.use() first");
        }
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor);
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup open(Path library) {
        return SymbolLookup.libraryLookup(library, Arena.global());
    }

    private static boolean isDevicePresent() {
        return Device.list().stream().anyMatch(device -> device.name().equals(DEVICE));
    }

    /** Under the name that it is loaded by only when it is whole: other builds may look for it at the same time. */
    private static void compile(Path sources, Path folder, Path library) {
        try {
            Files.createDirectories(folder);
            Path unfinished = Files.createTempFile(folder, "unfinished", ".so");
            Shell.Result result = Shell.tryRun("sh", sources.resolve("build").toString(), unfinished.toString());
            boolean lacksTools = result.output().contains("gcc: not found")
                    || result.output().contains("verbs.h: No such file or directory");
            Assumptions.assumeFalse(
                    lacksTools, "the stand-in needs a compiler and headers: apt-get install gcc libibverbs-dev");
            if (result.status() != 0) {
                throw new AssertionError("the stand-in in " + sources + " does not compile:\n" + result.output());
            }
            Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String key(Path sources) {
        try (Stream<Path> files = Files.list(sources)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files.sorted().toList()) {
                digest.update(file.getFileName().toString().getBytes());
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, Long.BYTES);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every JDK has SHA-256", impossible);
        }
    }
}
