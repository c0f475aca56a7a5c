// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rdmachannel.bench.result.JsonFile;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.bench.tool.RunningServer;
import io.rdmachannel.bench.tool.ToolRun;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tool over a real device. Few operations: how long they take says little on an emulated machine. */
@Tag("rdma")
@Timeout(900)
class RdmaBenchIT {
    private static final String PATIENCE = "240";

    private static String objectsBefore;

    @TempDir
    Path directory;

    @BeforeAll
    static void requireDevice() {
        Optional<String> absence = RdmaDevice.absenceReason();
        if (absence.isPresent() && RdmaDevice.isRequired()) {
            fail("RDMA_LAB=1 says that there is a device, but " + absence.get());
        }
        assumeTrue(absence.isEmpty(), "expected: no RDMA device on this machine");
        objectsBefore = kernelObjects();
    }

    /** Of all processes, so that nothing else may run beside; the kernel frees some things a little later. */
    @AfterAll
    static void requireNothingLeft() {
        if (objectsBefore != null) {
            Deadline.usual()
                    .await(
                            "objects of the kernel as before: " + objectsBefore,
                            () -> kernelObjects().equals(objectsBefore));
        }
    }

    @Test
    void shouldMeasureEachTestOverRdma() {
        RdmaDevice device = RdmaDevice.find();
        try (RunningServer server = RunningServer.start(
                "--transport", "rdma", "--ib-dev", device.device().name(), "--timeout", PATIENCE)) {
            for (TestKind test : TestKind.values()) {
                TestResult result = measure(server, device, test);
                assertThat(result.transport()).isEqualTo(Transport.RDMA);
                assertThat(result.device()).isEqualTo(device.device().name());
                assertThat(result.iterations()).isEqualTo(20);
                assertThat(
                                test.isLatency()
                                        ? result.latency().typical()
                                        : result.bandwidth().mebibytesPerSecond())
                        .isPositive();
            }
            assertThat(measure(server, device, TestKind.SEND_LAT, "-e").mode()).hasToString("event");
            assertThat(measure(server, device, TestKind.SEND_LAT, "--rate", "100")
                            .ratePerSecond())
                    .isEqualTo(100);
        }
    }

    @Test
    void shouldCompareWithPerftest() throws IOException {
        Path file = directory.resolve("compare.json");

        ToolRun run = ToolRun.of(
                "compare",
                "--rounds",
                "1",
                "-n",
                "20",
                "--warm-up",
                "20",
                "--sizes",
                "64",
                "--bandwidth-sizes",
                "4k",
                "--tests",
                "send-lat,write-lat,send-bw",
                "-t",
                "16",
                "--cpus",
                "0,1",
                "--timeout",
                PATIENCE,
                "--format",
                "json",
                "--output",
                file.toString());

        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out()).contains("Java / C", "send-lat", "write-lat", "send-bw");
        JsonNode document = new ObjectMapper().readTree(file.toFile());
        assertThat(document.path("schema").asText()).isEqualTo("rdma-bench-compare/1");
        assertThat(document.path("comparisons")).hasSize(5).allSatisfy(comparison -> {
            assertThat(comparison.at("/c/median").asDouble()).isPositive();
            assertThat(comparison.at("/java/median").asDouble()).isPositive();
            assertThat(comparison.at("/ratio/median").asDouble()).isPositive();
        });
    }

    private TestResult measure(RunningServer server, RdmaDevice device, TestKind test, String... more) {
        Path file = directory.resolve(test.label() + ".json");
        String[] common = {
            "client",
            "127.0.0.1",
            test.label(),
            "--port",
            server.port(),
            "--transport",
            "rdma",
            "--ib-dev",
            device.device().name(),
            "-n",
            "20",
            "--warm-up",
            "20",
            "-t",
            "16",
            "--timeout",
            PATIENCE,
            "--format",
            "json",
            "--output",
            file.toString()
        };
        String[] arguments = Stream.of(common, more).flatMap(Stream::of).toArray(String[]::new);
        ToolRun run = ToolRun.of(arguments);
        assertThat(run.status()).as(run.toString()).isZero();
        return JsonFile.readResults(file).results().getFirst();
    }

    private static String kernelObjects() {
        return Shell.run("rdma", "resource", "show");
    }
}
