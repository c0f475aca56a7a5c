// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TCP, wanted or as the fallback, in a JVM that permits no native access. */
@Timeout(120)
class WithoutNativeAccessTest {
    @ParameterizedTest
    @EnumSource(names = {"TCP", "AUTO"})
    void shouldTalkOverTcp(Transport transport) throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--illegal-native-access=deny",
                        "-cp",
                        classPath(),
                        WithoutNativeAccessProgram.class.getName(),
                        transport.name()))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("an answer of 100000 bytes over TCP");
        assertThat(process.exitValue()).isZero();
    }

    /** For a JVM that runs a program of these tests. */
    static String classPath() {
        Path here = Path.of(System.getProperty("basedir", "."));
        return Stream.of(
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path"),
                        here.resolve("target/classes").toString(),
                        here.resolve("target/test-classes").toString())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
