// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels in a JVM that has no Micrometer, and what they write into the log there. */
@Timeout(120)
class WithoutMicrometerTest {
    private static final Path HERE = Path.of(System.getProperty("basedir", "."));

    @Test
    void shouldTalkWithoutMicrometerOnTheClassPath() throws Exception {
        String classPath = Stream.concat(
                        parts(), Stream.of(HERE.resolve("target/test-classes").toString()))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(run("-cp", classPath, WithoutNativeAccessProgram.class.getName(), "TCP"))
                .contains("an answer of 100000 bytes over TCP");
    }

    @Test
    void shouldTalkWithoutMicrometerOnTheModulePath() throws Exception {
        String modulePath = parts().collect(Collectors.joining(File.pathSeparator));
        String patch = "io.rdmachannel.channel=" + HERE.resolve("target/test-classes");
        String main = "io.rdmachannel.channel/" + WithoutNativeAccessProgram.class.getName();
        assertThat(run("-p", modulePath, "--patch-module", patch, "-m", main, "TCP"))
                .contains("an answer of 100000 bytes over TCP");
    }

    @Test
    void shouldLogOneLineForEachSideOfAConnectionAndOneForAFallback() throws Exception {
        String classPath = Stream.concat(
                        parts(), Stream.of(HERE.resolve("target/test-classes").toString()))
                .collect(Collectors.joining(File.pathSeparator));
        String output = run("-cp", classPath, WithoutNativeAccessProgram.class.getName(), "AUTO");
        List<String> logged = output.lines()
                .filter(line -> line.contains(" ERROR ") || line.contains(" WARN ") || line.contains(" INFO "))
                .toList();
        assertThat(logged).hasSize(4).allMatch(line -> line.contains(" INFO "));
        assertThat(logged)
                .filteredOn(line -> line.matches(
                        ".* poller .* connected with /127.* by TCP_EXCHANGE over TCP; session [0-9a-f]{8}"))
                .hasSize(2);
        assertThat(logged)
                .filteredOn(line -> line.contains("and not over RDMA: "))
                .hasSize(2);
    }

    /** Everything that the tests have but Micrometer. */
    private static Stream<String> parts() {
        String all = String.join(
                File.pathSeparator,
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"),
                HERE.resolve("target/classes").toString());
        List<String> parts = Arrays.stream(all.split(File.pathSeparator))
                .filter(part -> !part.isEmpty() && !part.endsWith("test-classes"))
                .distinct()
                .toList();
        assertThat(parts).anyMatch(WithoutMicrometerTest::isMicrometer);
        return parts.stream().filter(part -> !isMicrometer(part));
    }

    private static boolean isMicrometer(String path) {
        return Path.of(path).getFileName().toString().startsWith("micrometer");
    }

    private static String run(String... arguments) throws Exception {
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        "--illegal-native-access=deny"),
                                Arrays.stream(arguments))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
