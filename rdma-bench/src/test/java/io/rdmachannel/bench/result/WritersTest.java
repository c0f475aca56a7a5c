// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WritersTest {
    private static final List<Double> PERCENTILES = List.of(99.0, 99.9);
    private static final TestResult LATENCY = Samples.latency(TestKind.SEND_LAT, Transport.RDMA, 64, null);
    private static final TestResult BANDWIDTH = Samples.bandwidth(TestKind.SEND_BW, Transport.TCP, 65536);

    @TempDir
    Path directory;

    @Test
    void shouldWriteOneCsvLineForEachResultWithTheSameColumns() {
        List<String> lines = new CsvWriter(PERCENTILES)
                .write(List.of(LATENCY, BANDWIDTH))
                .lines()
                .toList();

        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).endsWith("t_min_us,t_max_us,t_typical_us,t_avg_us,t_stdev_us,p99_us,p99.9_us");
        assertThat(lines).allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(19));
        assertThat(lines.get(1)).startsWith("send-lat,rdma,rxe0,busy,64,1000,1,,half-round-trip,,,,0.5");
        assertThat(lines.get(2))
                .startsWith("send-bw,tcp,,busy,65536,1000,128,,,62.500000,0.524288,0.001000,")
                .endsWith(",,,,,,");
    }

    @Test
    void shouldWriteATableWithPerftestsColumns() {
        String table = new TableWriter(PERCENTILES).write(List.of(LATENCY));

        assertThat(table)
                .contains("send-lat over RDMA (rxe0), busy, latency is half a round trip")
                .containsPattern("#bytes +#iterations +t_min\\[usec] +t_max\\[usec] +t_typical\\[usec] +t_avg\\[usec]"
                        + " +t_stdev\\[usec] +99%\\[usec] +99.9%\\[usec]")
                .containsPattern("64 +1000 +0.50 +500.\\d+ +250.\\d+ ");
        assertThat(new TableWriter(PERCENTILES).write(List.of(BANDWIDTH)))
                .contains("up to 128 outstanding", "BW average[MB/sec]", "BW average[Gb/sec]", "MsgRate[Mpps]")
                .containsPattern("65536 +1000 +62.50 +0.524 +0.001000");
    }

    @Test
    void shouldWriteTheDocumentedJson() throws IOException {
        JsonNode tree = new ObjectMapper().readTree(JsonFile.write(Samples.document(List.of(LATENCY, BANDWIDTH))));

        assertThat(tree.path("schema").asText()).isEqualTo("rdma-bench-result/1");
        assertThat(tree.at("/environment/kernel").asText()).startsWith("Linux ");
        assertThat(tree.at("/environment/processors").asInt()).isPositive();
        assertThat(tree.at("/environment/date").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        JsonNode latency = tree.at("/results/0");
        assertThat(latency.path("test").asText()).isEqualTo("send-lat");
        assertThat(latency.path("transport").asText()).isEqualTo("RDMA");
        assertThat(latency.path("mode").asText()).isEqualTo("busy");
        assertThat(latency.path("size").asInt()).isEqualTo(64);
        assertThat(latency.at("/latency/basis").asText()).isEqualTo("half-round-trip");
        assertThat(latency.at("/latency/percentiles/0/percentile").asDouble()).isZero();
        assertThat(latency.has("bandwidth")).isFalse();
        assertThat(tree.at("/results/1/bandwidth/mebibytesPerSecond").asDouble())
                .isEqualTo(62.5);
    }

    @Test
    void shouldReadWhatItWrites() throws IOException {
        ResultDocument document = Samples.document(List.of(LATENCY, BANDWIDTH));
        Path file = directory.resolve("result.json");
        Files.writeString(file, JsonFile.write(document));

        assertThat(JsonFile.readResults(file)).isEqualTo(document);
    }

    @Test
    void shouldRefuseWhatIsNoResult() throws IOException {
        Path other = Files.writeString(directory.resolve("other.json"), "{\"schema\":\"rdma-bench-compare/1\"}");
        Path broken = Files.writeString(directory.resolve("broken.json"), "{");

        assertThatThrownBy(() -> JsonFile.readResults(other))
                .isInstanceOf(ToolException.class)
                .hasMessageContainingAll("other.json", "rdma-bench-compare/1", "client --format json");
        assertThatThrownBy(() -> JsonFile.readResults(broken))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("cannot be read as JSON");
        assertThatThrownBy(() -> JsonFile.readResults(directory.resolve("missing.json")))
                .isInstanceOf(ToolException.class);
    }
}
