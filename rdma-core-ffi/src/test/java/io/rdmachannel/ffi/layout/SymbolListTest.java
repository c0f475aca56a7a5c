// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SymbolListTest {
    @TempDir
    private Path root;

    @Test
    void shouldNameTypesAsCDoes() throws IOException {
        SymbolList list = listOf("""
                # a comment

                --include-struct pollfd
                --include-union sigval
                --include-typedef cpu_set_t
                --include-constant POLLIN
                --include-function poll
                """);

        assertThat(list.types())
                .containsEntry("pollfd", "struct pollfd")
                .containsEntry("sigval", "union sigval")
                .containsEntry("cpu_set_t", "cpu_set_t");
        assertThat(list.constants()).containsExactly("POLLIN");
        assertThat(list.functions()).containsExactly("poll");
    }

    @Test
    void shouldRejectAnEntryThatStandsTwice() {
        assertThatThrownBy(() -> listOf("--include-constant POLLIN\n--include-constant POLLIN\n"))
                .hasMessageContainingAll("libc.txt", "twice", "POLLIN");
    }

    @Test
    void shouldRejectALineThatIsNoEntry() {
        assertThatThrownBy(() -> listOf("POLLIN\n")).hasMessageContainingAll("libc.txt", "no entry", "POLLIN");
    }

    @Test
    void shouldRejectAKindThatNoTestKnows() {
        assertThatThrownBy(() -> listOf("--include-var environ\n")).hasMessageContaining("--include-var environ");
    }

    private SymbolList listOf(String text) throws IOException {
        Path file = root.resolve("native-headers/symbols/libc.txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return SymbolList.of(root, ProbedLibrary.LIBC);
    }
}
