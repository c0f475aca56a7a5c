// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both commands on the machine at hand, which need not have RDMA. */
class InspectCommandsTest {
    @Test
    void shouldDiagnoseThisMachine() throws Exception {
        ToolRun run = ToolRun.of("doctor", "--format", "json");
        JsonNode report = run.json();
        assertThat(report.path("checks").size()).isGreaterThan(20);
        assertThat(run.check("java").path("status").asText()).isEqualTo("OK");
        assertThat(run.check("java").path("seen").path(0).asText())
                .contains(Runtime.version().toString());
        assertThat(run.status()).isEqualTo(report.path("problems").asInt() == 0 ? 0 : 1);
    }

    @Test
    void shouldWriteALineForEachCheckForPeople() {
        ToolRun run = ToolRun.of("doctor");
        assertThat(run.output())
                .contains("OK       java ")
                .contains("locked memory")
                .containsPattern("\\d+ problems?, ");
    }

    @Test
    void shouldTellThatAForeignAddressIsNoneOfThisHost() throws Exception {
        ToolRun run = ToolRun.of("doctor", "--address", "203.0.113.9", "--format", "json");
        assertThat(run.check("choice").path("status").asText()).isEqualTo("PROBLEM");
        assertThat(run.status()).isEqualTo(1);
    }

    @Test
    void shouldShowDevicesOrSayWhyThereAreNone() throws Exception {
        ToolRun run = ToolRun.of("devices", "--format", "json");
        JsonNode inventory = run.json();
        boolean usable = inventory.path("reason").isNull();
        assertThat(run.status()).isEqualTo(usable ? 0 : 1);
        assertThat(usable
                        || inventory.path("reason").asText().contains("rdma-bench doctor")
                        || inventory.path("reason").asText().contains("nstall"))
                .as("a device, or what to do: " + inventory.path("reason"))
                .isTrue();
        assertThat(ToolRun.of("devices").output()).isNotBlank();
    }

    @Test
    void shouldSayWhyNoDeviceServesAForeignAddress() throws Exception {
        ToolRun run = ToolRun.of("devices", "--address", "203.0.113.9", "--format", "json");
        JsonNode choice = run.json().path("choices").path(0);
        assertThat(choice.path("address").asText()).isEqualTo("203.0.113.9");
        assertThat(choice.path("device").isNull()).isTrue();
        assertThat(choice.path("reason").asText()).contains("no RDMA device will do");
        assertThat(run.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices --format xml", "doctor --peer host:0", "doctor extra", "devices --address"})
    void shouldRefuseWrongUse(String line) {
        ToolRun run = ToolRun.of(line.split(" "));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).contains("Usage: rdma-bench " + line.split(" ")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices", "doctor"})
    void shouldHelpWithExamplesDefaultsAndExitCodes(String command) {
        ToolRun run = ToolRun.of(command, "--help");
        assertThat(run.status()).isZero();
        assertThat(run.output())
                .contains("Examples:")
                .contains("rdma-bench " + command + " --format json")
                .contains("table, json; default: table")
                .contains("Exit codes:");
        assertThat(List.of(run.output().split("\n"))).allMatch(line -> line.length() <= 100);
    }
}
