// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.result.Environment;
import io.rdmachannel.bench.result.JsonFile;
import io.rdmachannel.bench.result.OutputFormat;
import io.rdmachannel.bench.result.OutputOptions;
import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.bench.tool.ToolVersion;
import io.rdmachannel.bench.traffic.MessageSize;
import io.rdmachannel.bench.traffic.TestConverter;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rdma-bench compare}: perftest and rdma-bench in turns, and the ratios. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures the same with perftest's C programs and with rdma-bench, in turns, with both ends on this machine"
                    + " and its RDMA device, and prints the ratios.",
            "",
            "perftest gets a new server and a new client for each measurement. Of ours the server is one process for"
                    + " all, and the client is this one, so that the JIT compiler has done its work; the first round"
                    + " begins with C, the second one with Java, and so on. Channels receive into buffers of the"
                    + " message's size, up to 1 MiB, as perftest does.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rdma-bench compare                              the first device, 5 rounds",
            "  rdma-bench compare -d mlx5_0 --cpus 2,4 --rounds 11 -n 100000",
            "  rdma-bench compare --tests send-lat --sizes 8,64 --modes busy",
            "  rdma-bench compare --format json --output compare.json",
            "",
            "Needs perftest (apt-get install perftest), and taskset for --cpus."
        })
public final class CompareCommand implements Callable<Integer> {
    @Option(
            names = "--tests",
            paramLabel = "TEST",
            split = ",",
            converter = TestConverter.class,
            defaultValue = "send-lat,write-lat,read-lat,send-bw,write-bw",
            description = "What to compare: send-lat, write-lat, read-lat, atomic-lat, send-bw, write-bw, read-bw"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<TestKind> tests;

    @Option(
            names = {"-s", "--sizes"},
            paramLabel = "BYTES",
            split = ",",
            converter = MessageSize.class,
            defaultValue = "64,4k",
            description = "Sizes for latency (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes;

    @Option(
            names = "--bandwidth-sizes",
            paramLabel = "BYTES",
            split = ",",
            converter = MessageSize.class,
            defaultValue = "64k",
            description = "Sizes for bandwidth (default: ${DEFAULT-VALUE}).")
    private List<Integer> bandwidthSizes;

    @Option(
            names = "--modes",
            paramLabel = "MODE",
            split = ",",
            defaultValue = "busy,event",
            description = "busy, event or both; perftest has no events for writes (default: ${DEFAULT-VALUE}).")
    private List<PollMode> modes;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each is measured, by both, 1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Operations of one measurement, 5 or more (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Operations of ours before each measurement, but not more than 10 s of them"
                    + " (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            defaultValue = "128",
            description = "Bandwidth: operations that are outstanding at a time (default: ${DEFAULT-VALUE}).")
    private int txDepth;

    @Option(
            names = {"-I", "--inline"},
            paramLabel = "BYTES",
            defaultValue = "-1",
            description = "Sends and writes up to this size go inline, for both (default: the default of each).")
    private int inline;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "RDMA device (default: the first one).")
    private String deviceName;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "Port of the device, from 1 (default: ${DEFAULT-VALUE}).")
    private int devicePort;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "INDEX",
            defaultValue = "-1",
            description = "Entry of the GID table (default: RoCE v2, IPv4 if there is one).")
    private int gidIndex;

    @Option(
            names = "--cpus",
            paramLabel = "A,B",
            split = ",",
            description = "Processors that servers (A) and clients (B) are bound to (default: any).")
    private List<Integer> cpus = List.of();

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address of this machine that clients connect to (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long one measurement may take, 1 to 3600 seconds (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    public CompareCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        requireValues();
        output.check();
        PerftestProgram.require(tests, System.getenv().getOrDefault("PATH", ""));
        CompareSetting setting = setting(device());
        List<Comparison> comparisons;
        try (JavaSide java = new JavaSide(setting)) {
            comparisons = new Rounds(new PerftestSide(setting), java, this::tell).run(cells(), rounds);
        }
        CompareDocument document = document(setting, comparisons);
        String table = CompareTable.write(document);
        output.write(
                output.format() == OutputFormat.JSON ? JsonFile.write(document) : table,
                table,
                spec.commandLine().getOut());
        return 0;
    }

    /** What is compared, in the order of the tests. */
    List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (TestKind test : tests) {
            for (PollMode mode : modes) {
                if (PerftestProgram.has(test, mode)) {
                    sizes(test).forEach(size -> cells.add(new Cell(test, mode, size)));
                }
            }
        }
        return cells;
    }

    private List<Integer> sizes(TestKind test) {
        if (test == TestKind.ATOMIC_LAT) {
            return List.of(Long.BYTES);
        }
        return test.isLatency() ? sizes : bandwidthSizes;
    }

    private void requireValues() {
        require(rounds >= 1 && rounds <= 1000, "--rounds is " + rounds + "; 1 to 1000 are possible");
        require(iterations >= 5, "--iters is " + iterations + "; perftest wants 5 or more");
        require(warmUp >= 0 && txDepth >= 1, "--warm-up must be 0 or more, --tx-depth 1 or more");
        require(cpus.isEmpty() || cpus.size() == 2, "--cpus wants two processors, such as 0,1");
        require(timeoutSeconds >= 1 && timeoutSeconds <= 3600, "--timeout is from 1 to 3600 seconds");
        require(!modes.contains(PollMode.ADAPTIVE), "--modes: perftest has busy and event, and no adaptive mode");
        require(output.format() != OutputFormat.CSV, "--format: a comparison is a table or json");
        require(!cells().isEmpty(), "--modes: perftest has no events for writes, so nothing is left to compare");
    }

    private void require(boolean good, String complaint) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), complaint);
        }
    }

    private Device device() {
        Verbs.unavailabilityReason().ifPresent(reason -> {
            throw new ToolException(
                    "RDMA cannot be used on this machine: " + reason + ". `rdma-bench doctor` looks for the cause");
        });
        List<Device> devices = Device.list();
        return devices.stream()
                .filter(device -> deviceName == null || device.name().equals(deviceName))
                .findFirst()
                .orElseThrow(() -> new ToolException("there is no RDMA device"
                        + (deviceName == null ? "" : " '" + deviceName + "'")
                        + (devices.isEmpty()
                                ? "; rxe-lab/rxe-lab makes an emulated one, in the source tree"
                                : ", but " + devices.stream().map(Device::name).toList())));
    }

    private CompareSetting setting(Device device) {
        return new CompareSetting(
                host,
                device.name(),
                devicePort,
                gidIndex >= 0 ? gidIndex : DeviceGid.best(device, devicePort),
                cpus.isEmpty() ? -1 : cpus.get(0),
                cpus.isEmpty() ? -1 : cpus.get(1),
                iterations,
                warmUp,
                txDepth,
                inline,
                timeoutSeconds);
    }

    private CompareDocument document(CompareSetting setting, List<Comparison> comparisons) throws InterruptedException {
        return new CompareDocument(
                CompareDocument.SCHEMA,
                ToolVersion.current(),
                Environment.current(),
                "rdma-bench "
                        + String.join(
                                " ", spec.root().commandLine().getParseResult().originalArgs()),
                PerftestProgram.version(tests.getFirst()),
                setting.device(),
                setting.gidIndex(),
                cpus,
                rounds,
                iterations,
                txDepth,
                comparisons);
    }

    private void tell(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }
}
