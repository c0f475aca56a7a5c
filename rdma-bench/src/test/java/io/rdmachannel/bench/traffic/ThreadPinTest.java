// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.bench.tool.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ThreadPinTest {
    @Test
    void shouldBindTheCallingThreadOnly() throws Exception {
        String before = allowed();
        int processor = Integer.parseInt(before.split("[-,]")[0]);
        FutureTask<String> pinned = new FutureTask<>(() -> {
            ThreadPin.pin(processor);
            return allowed();
        });
        Thread.ofPlatform().start(pinned);

        assertThat(pinned.get()).isEqualTo(String.valueOf(processor));
        assertThat(allowed()).isEqualTo(before);
    }

    @Test
    void shouldDoNothingForANegativeProcessor() throws IOException {
        String before = allowed();

        ThreadPin.pin(-1);

        assertThat(allowed()).isEqualTo(before);
    }

    @Test
    void shouldRefuseAProcessorThatIsNotThere() {
        assertThatThrownBy(() -> ThreadPin.pin(8000))
                .isInstanceOf(ToolException.class)
                .hasMessageContainingAll("processor 8000", "EINVAL");
        assertThatThrownBy(() -> ThreadPin.pin(1_000_000)).isInstanceOf(ToolException.class);
    }

    private static String allowed() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }
}
