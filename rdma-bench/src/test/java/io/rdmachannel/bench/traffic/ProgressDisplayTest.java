// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressDisplayTest {
    @TempDir
    Path directory;

    @Test
    void shouldKnowATerminalByItsName() throws IOException {
        assertThat(ProgressDisplay.isTerminal(link("terminal", "/dev/pts/3"))).isTrue();
        assertThat(ProgressDisplay.isTerminal(link("console", "/dev/tty1"))).isTrue();
        assertThat(ProgressDisplay.isTerminal(link("pipe", "pipe:[4711]"))).isFalse();
        assertThat(ProgressDisplay.isTerminal(link("file", "/tmp/output.txt"))).isFalse();
        assertThat(ProgressDisplay.isTerminal(directory.resolve("missing"))).isFalse();
    }

    private Path link(String name, String target) throws IOException {
        return Files.createSymbolicLink(directory.resolve(name), Path.of(target));
    }
}
