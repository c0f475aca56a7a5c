// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaBenchTest {
    static Stream<String> commands() {
        return RdmaBench.commandLine().getSubcommands().keySet().stream();
    }

    @Test
    void shouldSayItsVersion() {
        ToolRun run = ToolRun.of("--version");

        assertThat(run.status()).isZero();
        assertThat(run.out()).matches("(?s)rdma-bench \\d+\\.\\d+.*, Java 2\\d.*");
    }

    @Test
    void shouldShowItsCommandsAndExitStatus() {
        assertThat(ToolRun.of("--help").out())
                .contains("server", "client", "compare", "report", "Exit status:", "Examples:");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldGiveExamplesForEachCommand(String command) {
        ToolRun run = ToolRun.of(command, "--help");

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("Examples:", "rdma-bench " + command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "client",
                "client localhost",
                "client localhost fly-lat",
                "client localhost send-lat -s 65m",
                "client localhost send-lat -s 0",
                "client localhost send-lat --mode sleepy",
                "client localhost send-lat --percentiles 101",
                "client localhost send-lat --port 70000",
                "client localhost send-lat --port 0",
                "client localhost send-lat -a -s 64",
                "client localhost write-lat -e",
                "client localhost atomic-lat -s 16",
                "client localhost send-bw --rate 10",
                "client localhost send-bw -t 0",
                "client localhost send-bw -t 9000",
                "client localhost send-bw -r 8",
                "client localhost send-lat -I 5000",
                "client localhost send-lat --receive-bytes 17m",
                "server --timeout 0",
                "compare --cpus 1",
                "compare --modes adaptive",
                "compare --tests write-lat,write-bw --modes event",
                "compare --format csv",
                "report"
            })
    void shouldRefuseWrongUsageWithStatus2(String line) {
        ToolRun run = ToolRun.of(line.split(" "));

        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.err()).contains("Usage:");
    }

    @Test
    void shouldNameTheLimitOfASize() {
        ToolRun run = ToolRun.of("client", "localhost", "send-lat", "--size", "65m");

        assertThat(run.err()).contains("68157440", "67108864");
    }

    @Test
    void shouldListTheTestsThatThereAre() {
        assertThat(ToolRun.of("client", "localhost", "fly-lat").err())
                .contains(Arrays.asList("fly-lat", "send-lat", "write-lat", "read-bw"));
    }
}
