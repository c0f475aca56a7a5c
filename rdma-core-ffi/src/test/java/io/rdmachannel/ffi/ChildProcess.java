// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end, with a deadline, and gives what it printed. */
final class ChildProcess {
    private static final long LIMIT_SECONDS = 60;

    private ChildProcess() {}

    static String run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("child", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String printed = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended)
                    .as("%s ends within %d s: %s", command, LIMIT_SECONDS, printed)
                    .isTrue();
            assertThat(process.exitValue()).as("%s: %s", command, printed).isZero();
            return printed;
        } finally {
            Files.delete(output);
        }
    }
}
