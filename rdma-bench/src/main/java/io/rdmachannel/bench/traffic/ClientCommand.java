// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.CsvWriter;
import io.rdmachannel.bench.result.Environment;
import io.rdmachannel.bench.result.JsonFile;
import io.rdmachannel.bench.result.OutputOptions;
import io.rdmachannel.bench.result.ResultDocument;
import io.rdmachannel.bench.result.TableWriter;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.bench.tool.ToolVersion;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rdma-bench client}: asks a server for a test, and prints what it found. */
@Command(
        name = "client",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures latency or bandwidth between this process and an rdma-bench server.",
            "",
            "Tests, by perftest's names:",
            "  send-lat     a message there and one back: half the round trip",
            "  write-lat    a write there and one back, found by looking at one's own memory:",
            "               half the round trip",
            "  read-lat     a read of the server's memory: the whole round trip",
            "  atomic-lat   a fetch-and-add of 8 bytes: the whole round trip",
            "  send-bw      messages one way, --tx-depth of them outstanding",
            "  write-bw     writes to the server's memory, likewise",
            "  read-bw      reads of the server's memory, likewise",
            "",
            "Latencies are in microseconds; bandwidth in MB/sec (1 MB is 1048576 bytes), Gb/sec (10^9 bits), and Mpps"
                    + " (10^6 operations a second).",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rdma-bench client 192.0.2.1 send-lat",
            "  rdma-bench client 192.0.2.1 write-lat -s 8 -n 100000 --cpu 4",
            "  rdma-bench client 192.0.2.1 read-lat --all --events",
            "  rdma-bench client 192.0.2.1 write-bw -s 64k -t 32 -D 5",
            "A message every 100 µs for 30 s, each counted from when it was due:",
            "  rdma-bench client 192.0.2.1 send-lat --rate 10000 -D 30",
            "For plots by `rdma-bench report`:",
            "  rdma-bench client 192.0.2.1 send-lat -a --format json --output send.json"
        })
public final class ClientCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "HOST", description = "Name or address of the server.")
    private String host;

    @Parameters(
            index = "1",
            paramLabel = "TEST",
            converter = TestConverter.class,
            description = "send-lat, write-lat, read-lat, atomic-lat, send-bw, write-bw or read-bw.")
    private TestKind test;

    @Mixin
    private TestOptions options = new TestOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--percentiles",
            paramLabel = "P",
            split = ",",
            defaultValue = "99,99.9",
            description = "Percentiles with columns of their own, 0 to 100, separated by commas"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Double> percentiles;

    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    public ClientCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Optional<String> complaint = options.complaint(test).or(connection::complaint);
        if (complaint.isEmpty() && percentiles.stream().anyMatch(percent -> !(percent >= 0 && percent <= 100))) {
            complaint = Optional.of("--percentiles are from 0 to 100");
        }
        if (complaint.isEmpty() && connection.port == 0) {
            complaint = Optional.of("--port is 0, which only a server can have");
        }
        complaint.ifPresent(what -> {
            throw new ParameterException(spec.commandLine(), what);
        });
        output.check();
        List<TestResult> results = new ClientSession(host, test, connection, options, percentiles).run();
        String table = new TableWriter(percentiles).write(results);
        String text = switch (output.format()) {
            case TABLE -> table;
            case CSV -> new CsvWriter(percentiles).write(results);
            case JSON -> JsonFile.write(document(results));
        };
        output.write(text, table, spec.commandLine().getOut());
        return 0;
    }

    private ResultDocument document(List<TestResult> results) {
        String command = "rdma-bench "
                + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
        return new ResultDocument(
                ResultDocument.SCHEMA, ToolVersion.current(), Environment.current(), command, results);
    }
}
