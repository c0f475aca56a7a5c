// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.JsonFile;
import io.rdmachannel.bench.tool.ToolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rdma-bench report}: draws results into one HTML page. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Draws what `rdma-bench client --format json` has written: percentiles, latency and bandwidth by"
                + " size, RDMA against TCP; with all numbers and where they were measured. The page is one file and"
                + " needs no network.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  rdma-bench client 192.0.2.1 send-lat -a --format json --output rdma.json",
            "  rdma-bench client 192.0.2.1 send-lat -a --transport tcp \\",
            "      --format json --output tcp.json",
            "  rdma-bench report rdma.json tcp.json -o report.html"
        })
public final class ReportCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Results; all go into one page.")
    private List<Path> files;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "report.html",
            description = "The page (default: ${DEFAULT-VALUE}).")
    private Path output;

    @Option(
            names = "--title",
            paramLabel = "TEXT",
            defaultValue = "rdma-bench report",
            description = "The page's title (default: ${DEFAULT-VALUE}).")
    private String title;

    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    public ReportCommand() {}

    @Override
    public Integer call() {
        System.setProperty("java.awt.headless", "true");
        List<Source> sources = files.stream()
                .map(file -> new Source(file.getFileName().toString(), JsonFile.readResults(file)))
                .toList();
        if (sources.stream().allMatch(source -> source.document().results().isEmpty())) {
            throw new ToolException("there are no results in " + files);
        }
        Fonts.require();
        ReportPage page = new ReportPage(title, sources);
        try {
            Files.writeString(output, page.html(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new ToolException(output + " cannot be written: " + failed, failed);
        }
        spec.commandLine()
                .getOut()
                .println("wrote " + output + " with " + page.plotIds().size() + " plots");
        spec.commandLine().getOut().flush();
        return 0;
    }
}
