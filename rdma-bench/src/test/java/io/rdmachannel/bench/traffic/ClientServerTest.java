// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.rdmachannel.bench.result.JsonFile;
import io.rdmachannel.bench.result.LatencyBasis;
import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.ResultDocument;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.bench.tool.RunningServer;
import io.rdmachannel.bench.tool.ToolProcess;
import io.rdmachannel.bench.tool.ToolRun;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands server and client over TCP. */
@Timeout(240)
class ClientServerTest {
    private static RunningServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--address", "127.0.0.1", "--transport", "tcp", "--timeout", "60");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(TestKind.class)
    void shouldMeasureEachTestAndWriteJson(TestKind test) {
        Path file = directory.resolve("result.json");

        ToolRun run = client(test, "-n", "50", "--warm-up", "50", "--format", "json", "--output", file.toString());

        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out()).contains(test.label() + " over TCP, ").contains("#bytes");
        ResultDocument document = JsonFile.readResults(file);
        assertThat(document.command()).startsWith("rdma-bench client 127.0.0.1 " + test.label());
        assertThat(document.results()).singleElement().satisfies(result -> {
            assertThat(result.test()).isEqualTo(test);
            assertThat(result.transport()).isEqualTo(Transport.TCP);
            assertThat(result.iterations()).isEqualTo(50);
            assertThat(result.seconds()).isPositive();
            requireFigures(result);
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = TestKind.class,
            names = {"SEND_LAT", "WRITE_LAT", "READ_BW"})
    void shouldMeasureAllSizesOverOneChannel(TestKind test) {
        Path file = directory.resolve("result.json");

        ToolRun run =
                client(test, "--all", "-n", "5", "--warm-up", "10", "--format", "json", "--output", file.toString());

        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(JsonFile.readResults(file).results())
                .extracting(TestResult::size)
                .containsExactly(Arrays.stream(MessageSize.all()).boxed().toArray(Integer[]::new));
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void shouldWaitInEachMode(PollMode mode) {
        ToolRun run = client(TestKind.SEND_LAT, "--mode", mode.label(), "-n", "30", "--warm-up", "10");

        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out()).contains("over TCP, " + mode);
    }

    @Test
    void shouldTakeEventsAsPerftestDoes() {
        ToolRun run = client(TestKind.READ_LAT, "-e", "-n", "30", "--warm-up", "10");

        assertThat(run.out()).as(run.toString()).contains("read-lat over TCP, event");
    }

    @Test
    void shouldMeasureAtAFixedRateFromTheIntendedStart() {
        Path file = directory.resolve("result.json");

        ToolRun run = client(
                TestKind.SEND_LAT,
                "-e",
                "--rate",
                "500",
                "-D",
                "0.2",
                "--warm-up",
                "10",
                "--format",
                "json",
                "--output",
                file.toString());

        assertThat(run.status()).as(run.toString()).isZero();
        TestResult result = JsonFile.readResults(file).results().getFirst();
        assertThat(result.iterations()).isEqualTo(100);
        assertThat(result.ratePerSecond()).isEqualTo(500);
        assertThat(result.seconds()).isGreaterThan(0.19);
        assertThat(result.latency().basis()).isEqualTo(LatencyBasis.FROM_INTENDED_START);
    }

    @Test
    void shouldMeasureForATime() {
        ToolRun run = client(
                TestKind.WRITE_BW, "-e", "-D", "0.3", "-s", "4k", "-t", "8", "--warm-up", "10", "--format", "csv");

        assertThat(run.status()).as(run.toString()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).startsWith("test,transport,device,mode,bytes,iterations,tx_depth");
        assertThat(lines.get(1)).matches("write-bw,tcp,,event,4096,\\d+,8,.*");
        assertThat(Long.parseLong(lines.get(1).split(",")[5])).isGreaterThan(8);
    }

    @Test
    void shouldShowTheWantedPercentiles() {
        ToolRun run = client(TestKind.SEND_LAT, "-e", "-n", "30", "--warm-up", "10", "--percentiles", "12.5,90");

        assertThat(run.out())
                .as(run.toString())
                .contains("12.5%[usec]", "90%[usec]")
                .doesNotContain("99.9%");
    }

    @Test
    void shouldBindItsThreadToAProcessor() {
        ToolRun run = client(TestKind.SEND_LAT, "-e", "-n", "10", "--warm-up", "0", "--cpu", "99999");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("cannot run on processor 99999", "taskset");
    }

    @Test
    void shouldServeTheNextClientAfterOneWasKilled() throws InterruptedException {
        try (RunningServer own = RunningServer.start("--transport", "tcp");
                ToolProcess client = ToolProcess.start(
                        directory, "client", "127.0.0.1", "send-lat", "-e", "--port", own.port(), "-D", "100")) {
            own.await("send-lat over TCP");
            client.kill();
            own.await("failed: ");

            ToolRun next = ToolRun.of(
                    "client", "127.0.0.1", "send-lat", "-e", "-n", "10", "--warm-up", "0", "--port", own.port());
            assertThat(next.status()).as(next.toString()).isZero();
        }
    }

    @Test
    void shouldRunInTwoProcessesAndEndAfterOneClient() throws InterruptedException {
        try (ToolProcess serving = ToolProcess.start(directory, "server", "--port", "0", "--once")) {
            Deadline.in(60, TimeUnit.SECONDS)
                    .await("a port", () -> serving.output().contains("listening on port "));
            Matcher port = Pattern.compile("listening on port (\\d+)").matcher(serving.output());
            assertThat(port.find()).isTrue();
            Path file = directory.resolve("result.json");
            try (ToolProcess measuring = ToolProcess.start(
                    directory,
                    "client",
                    "127.0.0.1",
                    "write-lat",
                    "--transport",
                    "tcp",
                    "-n",
                    "20",
                    "--warm-up",
                    "20",
                    "--port",
                    port.group(1),
                    "--format",
                    "json",
                    "--output",
                    file.toString())) {
                assertThat(measuring.status()).as(measuring.output()).isZero();
            }
            assertThat(serving.status()).as(serving.output()).isZero();
            assertThat(serving.output()).contains("write-lat over TCP, busy, up to 64 bytes", ": done");
            assertThat(JsonFile.readResults(file).results()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestKind.class,
            names = {"SEND_LAT", "READ_LAT", "WRITE_BW"})
    void shouldMakeNoObjectsWhileItMeasures(TestKind test) {
        // Objects that do not escape disappear only when the JIT compiler is through, which takes it a while.
        Deadline deadline = Deadline.in(120, TimeUnit.SECONDS);
        double bytes = bytesPerOperation(test);
        while (bytes >= 8 && !deadline.isOver()) {
            bytes = bytesPerOperation(test);
        }

        assertThat(bytes).as("bytes of each operation").isLessThan(8);
    }

    @Test
    void shouldShowABarOnATerminal() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "expected: no script(1) to make a terminal");
        String command = String.join(
                " ",
                ToolProcess.command(
                        "client", "127.0.0.1", "send-lat", "-e", "--port", server.port(), "-D", "4", "--warm-up", "0"));
        Path output = directory.resolve("terminal.txt");
        Process process = new ProcessBuilder("/usr/bin/script", "-qec", command, "/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(output))
                .containsPattern("send-lat, 64 bytes +\\d+%.*4 s")
                .contains("t_typical[usec]");
    }

    private static double bytesPerOperation(TestKind test) {
        long few = allocated(test, 100);
        long many = allocated(test, 10_100);
        return (many - few) / 10_000.0;
    }

    private static long allocated(TestKind test, int iterations) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        ToolRun run = client(test, "-e", "-s", "64", "-n", String.valueOf(iterations), "--warm-up", "2000");
        assertThat(run.status()).as(run.toString()).isZero();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static void requireFigures(TestResult result) {
        if (result.test().isLatency()) {
            assertThat(result.bandwidth()).isNull();
            assertThat(result.latency().basis()).isEqualTo(result.test().basis());
            assertThat(result.latency().min())
                    .isPositive()
                    .isLessThanOrEqualTo(result.latency().typical());
            assertThat(result.latency().max())
                    .isGreaterThanOrEqualTo(result.latency().typical());
            assertThat(result.latency().percentile(99))
                    .isBetween(result.latency().typical(), result.latency().max());
        } else {
            assertThat(result.latency()).isNull();
            assertThat(result.bandwidth().mebibytesPerSecond()).isPositive();
            assertThat(result.bandwidth().gigabitsPerSecond() * 1e9 / 8 / (1 << 20))
                    .isCloseTo(result.bandwidth().mebibytesPerSecond(), withinPercentage(0.1));
        }
    }

    private static ToolRun client(TestKind test, String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("client", "127.0.0.1", test.label(), "--port", server.port(), "--timeout", "60"));
        arguments.addAll(List.of(options));
        return ToolRun.of(arguments.toArray(String[]::new));
    }
}
