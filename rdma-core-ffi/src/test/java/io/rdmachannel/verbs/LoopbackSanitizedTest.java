// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.rdmachannel.testing.LoopbackTest;
import io.rdmachannel.testing.LoopbackVerbs;
import io.rdmachannel.testing.Shell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in under the compiler's sanitizers, with a C program at both ends. */
@LoopbackTest
class LoopbackSanitizedTest {
    private static final List<String> SANITIZERS =
            List.of("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1", "-fno-lto");

    @TempDir
    Path folder;

    @Test
    void shouldTouchNoMemoryThatIsNotItsOwn() {
        Path sources = LoopbackVerbs.sources();
        String library = folder.resolve("libibverbs.so.1").toString();
        String program = folder.resolve("exchange").toString();
        compile(List.of("sh", sources.resolve("build").toString(), library));
        compile(List.of(
                "gcc",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-o",
                program,
                sources.resolveSibling("loopback-check/exchange.c").toString(),
                library,
                "-Wl,-rpath," + folder));

        assertThat(Shell.run(program, "2000")).endsWith("done\n");
    }

    private static void compile(List<String> command) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(SANITIZERS);
        Shell.Result result = Shell.tryRun(whole.toArray(String[]::new));
        assumeFalse(result.output().contains("cannot find libasan"), "expected: gcc has no sanitizers here");
        assertThat(result.status()).as(result.output()).isZero();
    }
}
