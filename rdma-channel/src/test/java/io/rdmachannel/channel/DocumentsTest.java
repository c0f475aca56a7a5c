// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the documents say of states and settings is what the code does. */
class DocumentsTest {
    private static final Path DOCUMENTS = Path.of(System.getProperty("basedir", "."), "..", "docs");

    @Test
    void shouldListTheLegalMovesOfAChannel() throws IOException {
        List<String> expected = new ArrayList<>();
        for (ChannelState state : ChannelState.values()) {
            String successors = state.successors().stream().map(Enum::name).collect(Collectors.joining(", "));
            expected.add((state + " | " + successors).strip());
        }
        assertThat(rows("channel.md", "| from | to |")).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void shouldListEverySettingWithItsDefault() throws IOException {
        List<String> expected = Arrays.stream(ChannelSetting.values())
                .map(setting -> "`" + setting.key() + "` | "
                        + (setting.defaultText().isEmpty() ? "(none)" : setting.defaultText()))
                .toList();
        List<String> found = rows("configuration.md", "| setting | default |").stream()
                .map(row -> row.substring(0, row.indexOf(" | ", row.indexOf(" | ") + 1)))
                .toList();
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldExplainEveryAnswerOutcomeAndReason() throws IOException {
        assertThat(firstCells("| answer |")).isEqualTo(names(Submission.values()));
        assertThat(firstCells("| outcome |")).isEqualTo(names(Outcome.values()));
        assertThat(firstCells("| reason |"))
                .containsExactlyInAnyOrderElementsOf(names(ChannelException.Reason.values()));
    }

    @Test
    void shouldListEveryCounterWithWhatItCounts() throws IOException {
        List<String> expected = Arrays.stream(ChannelCounter.values())
                .map(counter -> "`" + counter.metricName() + "` | " + counter.description() + " | "
                        + (counter.isOfPoller() ? "poller" : "channel, poller"))
                .toList();
        assertThat(rows("observability.md", "| counter | counts | of |")).isEqualTo(expected);
    }

    private static List<String> firstCells(String header) throws IOException {
        return rows("channel.md", header).stream()
                .map(row -> row.substring(0, row.indexOf(" |")))
                .toList();
    }

    private static List<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).toList();
    }

    /** The rows of the table that begins with a header, without the bars at both ends. */
    private static List<String> rows(String document, String header) throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENTS.resolve(document));
        int at = 0;
        while (!lines.get(at).startsWith(header)) {
            at++;
        }
        List<String> rows = new ArrayList<>();
        for (int i = at + 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
            String row = lines.get(i).strip();
            rows.add(row.substring(1, row.length() - 1).strip());
        }
        return rows;
    }
}
