// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.verbs.PathMtu;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    @Test
    void shouldHaveTheDefaultsOfC() {
        Options options = Options.parse();

        assertThat(options.isClient()).isFalse();
        assertThat(options.tcpPort()).isEqualTo(18515);
        assertThat(options.device()).isNull();
        assertThat(options.devicePort()).isEqualTo(1);
        assertThat(options.size()).isEqualTo(4096);
        assertThat(options.mtu()).isEqualTo(PathMtu.MTU_1024);
        assertThat(options.receiveDepth()).isEqualTo(500);
        assertThat(options.iterations()).isEqualTo(1000);
        assertThat(options.serviceLevel()).isZero();
        assertThat(options.events()).isFalse();
        assertThat(options.gidIndex()).isEqualTo(Options.NO_INDEX);
        assertThat(options.check()).isFalse();
        assertThat(options.timeout()).isEqualTo(14);
        assertThat(options.limit()).isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-p 1 -d rxe0 -i 2 -s 64 -m 256 -r 5 -n 7 -l 3 -e -g 1 -c host",
                "host -p1 -drxe0 -i2 -s64 -m256 -r5 -n7 -l3 -ecg1",
                "--port=1 --ib-dev=rxe0 --ib-port=2 --size=64 --mtu=256 --rx-depth=5 --iters=7 --sl=3 --events "
                        + "--gid-idx=1 --chk host",
                "--port 1 --ib-dev rxe0 --ib-port 2 --size 0x40 --mtu 256 --rx-depth 5 host --iters 7 --sl 3 --events"
                        + " --gid-idx 1 --chk"
            })
    void shouldTakeOptionsInEachFormOfGetopt(String line) {
        Options options = Options.parse(line.split(" "));

        assertThat(options)
                .isEqualTo(new Options(
                        "host",
                        1,
                        "rxe0",
                        2,
                        64,
                        PathMtu.MTU_256,
                        5,
                        7,
                        3,
                        true,
                        1,
                        true,
                        14,
                        Duration.ofSeconds(30),
                        Duration.ZERO,
                        0));
    }

    @Test
    void shouldLetTheLastOfSeveralValuesWin() {
        assertThat(Options.parse("-s", "1", "-s", "2").size()).isEqualTo(2);
    }

    @Test
    void shouldTakeEverythingAfterTwoDashesAsTheHost() {
        assertThat(Options.parse("--", "-host").host()).isEqualTo("-host");
    }

    @ParameterizedTest
    @CsvSource({
        "-p 0, --port",
        "-p 65536, --port",
        "-p x, --port",
        "-p, needs a value",
        "-s 0, --size",
        "-s -1, --size",
        "-s 99999999999, --size",
        "-m 1000, 1000",
        "-r 0, --rx-depth",
        "-n 0, --iters",
        "-l 16, --sl",
        "-g -1, --gid-idx",
        "-i 0, --ib-port",
        "-t 0, --timeout",
        "-t 32, --timeout",
        "-L 0, --limit",
        "-n 10 -W 10, --warm-up",
        "--events=yes, takes no value",
        "-z, -z",
        "--nothing, --nothing",
        "one two, one and two"
    })
    void shouldRefuseWhatCannotBe(String line, String named) {
        assertThatThrownBy(() -> Options.parse(line.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(named);
    }

    @Test
    void shouldEndWithStatusTwoAndOneLineWhenTheCommandLineIsWrong() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int status = Main.run(System.out, new PrintStream(err, true, StandardCharsets.UTF_8), "-p", "0");

        assertThat(status).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSize(1)
                .first()
                .asString()
                .contains("--help");
    }

    @Test
    void shouldExplainEachOptionOnOneLine() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int status = Main.run(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, "-p", "1", "--help");

        assertThat(status).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .allMatch(line -> line.length() <= 100)
                .filteredOn(line -> line.startsWith("  -"))
                .hasSameSizeAs(Option.values());
    }
}
