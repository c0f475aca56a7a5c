// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is logged at the finest level, and what exceptions and objects tell, in a JVM of its own. */
@Timeout(120)
class SecretsInLogsTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTellNoSecretNoProofAndNoKey() throws Exception {
        Path file = folder.resolve("secrets");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                        "-cp",
                        WithoutNativeAccessTest.classPath(),
                        SecretsInLogsProgram.class.getName(),
                        file.toString()))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes()).toLowerCase(Locale.ROOT);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();

        assertThat(output)
                .contains(" warn ", " debug ", "authentication failed", "refused an access", "region \"region\"")
                .contains("a shared secret");
        List<String> secrets = Files.readAllLines(file);
        assertThat(secrets).hasSize(4 * 7 + 3);
        for (String secret : secrets) {
            assertThat(output).doesNotContain(secret.toLowerCase(Locale.ROOT));
        }
    }
}
