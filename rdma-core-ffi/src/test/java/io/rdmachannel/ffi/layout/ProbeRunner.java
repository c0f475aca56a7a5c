// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Compiles a {@link ProbeProgram} against the installed headers and runs it. */
final class ProbeRunner {
    private static final Duration DEADLINE = Duration.ofSeconds(120);
    private static final int MESSAGE_LINES_MAX = 60;

    private final Command command = new Command(DEADLINE);
    private final Path headers;
    private final Path output;

    /** Leaves sources and programs in {@code folder} of the module's build output, to be looked at after a failure. */
    ProbeRunner(Path root, String folder) {
        this.headers = root.resolve("native-headers");
        this.output = root.resolve("rdma-core-ffi/target").resolve(folder);
    }

    /** Gives the lines that the program printed. */
    List<String> run(ProbeProgram program) throws IOException, InterruptedException {
        Path source = output.resolve(program.name() + ".c");
        Path binary = output.resolve(program.name());
        Files.createDirectories(output);
        Files.writeString(source, program.source());
        compile(source, binary);
        Command.Outcome run = command.run(List.of(binary.toString()));
        if (run.status() != 0) {
            throw new AssertionError("the layout probe " + binary + " ended with status " + run.status());
        }
        return run.output().lines().toList();
    }

    private void compile(Path source, Path binary) throws IOException, InterruptedException {
        Command.Outcome compiled = command.run(List.of(
                Toolchain.COMPILER,
                "-std=gnu11",
                "-Wall",
                "-Werror",
                "-I" + headers,
                "-I" + headers.resolve("layout-probe"),
                "-o",
                binary.toString(),
                source.toString()));
        if (compiled.status() != 0) {
            throw new AssertionError("The layout probe " + source + " does not compile. Where a member or constant is"
                    + " not in the installed headers, Java's side is wrong for them. " + LayoutChecker.REMEDY + "\n"
                    + beginning(compiled.output()));
        }
    }

    private static String beginning(String text) {
        return String.join("\n", text.lines().limit(MESSAGE_LINES_MAX).toList());
    }
}
