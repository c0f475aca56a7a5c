// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @Test
    void shouldTakeTheOptionsOfAClient() {
        RpingOptions options = RpingOptions.parse(words("-c -a 10.77.0.1 -p 7000 -C 10 -S 1000 -V -v -t 5"));

        assertThat(options)
                .isEqualTo(new RpingOptions(
                        false, new InetSocketAddress("10.77.0.1", 7000), 10, 1000, true, true, Duration.ofSeconds(5)));
    }

    @Test
    void shouldListenEverywhereAndTakeAnySizeAsServer() {
        RpingOptions options = RpingOptions.parse(words("-s"));

        assertThat(options.server()).isTrue();
        assertThat(options.address()).isEqualTo(new InetSocketAddress("0.0.0.0", 7174));
        assertThat(options.size()).isEqualTo(65535);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-a 10.77.0.1",
                "-s -c -a ::1",
                "-c",
                "-c -a",
                "-c -a ::1 -S 31",
                "-c -a ::1 -S 65536",
                "-c -a ::1 -p 0",
                "-c -a ::1 -p 65536",
                "-c -a ::1 -C -1",
                "-c -a ::1 -p seven",
                "-c -a ::1 -x",
                "-s extra",
                "-s -t 0",
                "--help",
                "-s -sc"
            })
    void shouldRefuseAWrongCommandLine(String line) {
        assertThatExceptionOfType(ExampleException.class).isThrownBy(() -> RpingOptions.parse(words(line)));
    }

    @Test
    void shouldTellAWrongCommandLineByTheExitStatus() {
        assertThat(Rping.run(words("-s -c"))).isEqualTo(Launcher.USAGE);
        assertThat(RdmaClient.run(words("-p 0"))).isEqualTo(Launcher.USAGE);
        assertThat(RdmaServer.run(words("-x"))).isEqualTo(Launcher.USAGE);
    }

    private static String[] words(String line) {
        return line.split(" ");
    }
}
