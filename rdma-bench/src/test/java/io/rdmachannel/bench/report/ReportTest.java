// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmachannel.bench.result.JsonFile;
import io.rdmachannel.bench.result.Samples;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.bench.tool.ToolRun;
import io.rdmachannel.channel.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final List<String> PLOTS = List.of(
            "plot-rdma-against-tcp-latency",
            "plot-rdma-against-tcp-bandwidth",
            "plot-percentiles-send-lat",
            "plot-latency-by-size-send-lat",
            "plot-percentiles-read-lat",
            "plot-latency-by-size-read-lat",
            "plot-bandwidth-by-size-write-bw");

    @TempDir
    Path directory;

    @Test
    void shouldDrawAllPlotsIntoOneFileThatLoadsNothing() throws IOException {
        String html = Files.readString(report());

        assertThat(svgIds(html)).containsExactlyElementsOf(PLOTS);
        assertThat(html)
                .contains("<title>rdma-bench report</title>", "role=\"img\"", "Where the client ran")
                .contains("latency in µs (log scale)", "bytes of one operation (log scale)", "RDMA, busy: median")
                .contains("a&lt;b&gt;")
                .doesNotContain("<script", "a<b>");
        // Nothing is fetched: the only addresses are names of XML's own.
        assertThat(Pattern.compile("(src|href)=[\"'](?!data:|#)").matcher(html).find())
                .isFalse();
        assertThat(html.replaceAll("xmlns(:\\w+)?='http://www\\.[^']+'", "")).doesNotContain("http://", "https://");
    }

    @Test
    void shouldNameNoElementTwice() throws IOException {
        List<String> ids = Pattern.compile(" id=[\"']([^\"']+)[\"']")
                .matcher(Files.readString(report()))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    @Timeout(240)
    void shouldOpenInABrowserWithoutAnErrorAndWithAllPlots() throws IOException, InterruptedException {
        Optional<Chromium> browser = Chromium.find(directory);
        assumeTrue(browser.isPresent(), "expected: no chromium on this machine");

        Chromium.Page page = browser.orElseThrow().open(report());

        assertThat(svgIds(page.dom())).containsExactlyElementsOf(PLOTS);
        assertThat(page.dom()).contains("</html>", "RDMA against TCP");
        assertThat(page.log()).doesNotContain("CONSOLE");
    }

    @Test
    @Timeout(240)
    void shouldNoticeWhatABrowserComplainsOf() throws IOException, InterruptedException {
        Optional<Chromium> browser = Chromium.find(directory);
        assumeTrue(browser.isPresent(), "expected: no chromium on this machine");
        Path broken = Files.writeString(
                directory.resolve("broken.html"), "<!DOCTYPE html><script>throw new Error('broken')</script>");

        assertThat(browser.orElseThrow().open(broken).log()).contains("CONSOLE", "broken");
    }

    @Test
    void shouldLeaveOutTheComparisonWhereOneTransportIsMissing() throws IOException {
        Path file = write("tcp.json", List.of(Samples.latency(TestKind.SEND_LAT, Transport.TCP, 64, 500.0)));
        Path page = directory.resolve("tcp.html");

        ToolRun run = ToolRun.of("report", file.toString(), "-o", page.toString(), "--title", "Only <TCP>");

        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out()).contains("with 2 plots");
        assertThat(svgIds(Files.readString(page)))
                .containsExactly("plot-percentiles-send-lat", "plot-latency-by-size-send-lat");
        assertThat(Files.readString(page))
                .contains("No size was measured over both RDMA and TCP", "<h1>Only &lt;TCP&gt;</h1>");
    }

    @Test
    void shouldRefuseWhatItCannotReadOrWrite() throws IOException {
        Path file = write("tcp.json", List.of(Samples.latency(TestKind.SEND_LAT, Transport.TCP, 64, null)));
        Path empty = write("empty.json", List.of());

        assertThat(ToolRun.of("report", "/no/such/file.json").err()).contains("/no/such/file.json");
        assertThat(ToolRun.of("report", empty.toString()).err()).contains("there are no results");
        ToolRun unwritable = ToolRun.of("report", file.toString(), "-o", "/no/such/place/report.html");
        assertThat(unwritable.status()).isEqualTo(1);
        assertThat(unwritable.err()).contains("/no/such/place/report.html cannot be written");
    }

    private Path report() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("report"));
        for (Transport transport : List.of(Transport.RDMA, Transport.TCP)) {
            List<TestResult> results = new ArrayList<>();
            for (int size : new int[] {64, 256, 4096, 65536}) {
                results.add(Samples.latency(TestKind.SEND_LAT, transport, size, null));
                results.add(Samples.latency(TestKind.READ_LAT, transport, size, null));
                results.add(Samples.bandwidth(TestKind.WRITE_BW, transport, size));
            }
            arguments.add(write(transport + ".json", results).toString());
        }
        Path page = directory.resolve("report.html");
        arguments.addAll(List.of("-o", page.toString()));
        ToolRun run = ToolRun.of(arguments.toArray(String[]::new));
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out()).contains("with " + PLOTS.size() + " plots");
        return page;
    }

    private Path write(String name, List<TestResult> results) throws IOException {
        return Files.writeString(directory.resolve(name), JsonFile.write(Samples.document(results)));
    }

    private static List<String> svgIds(String html) {
        return Pattern.compile("<svg [^>]*? id=[\"'](plot-[a-z-]+)[\"']")
                .matcher(html)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
