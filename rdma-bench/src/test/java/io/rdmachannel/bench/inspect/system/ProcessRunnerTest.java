// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProcessRunnerTest {
    private final ProcessRunner runner = new ProcessRunner(Duration.ofSeconds(30));

    @Test
    void shouldGiveStatusAndBothStreams() {
        CommandResult result = runner.run("sh", "-c", "echo one; echo two >&2; exit 3");
        assertThat(result).isEqualTo(new CommandResult(3, "one\ntwo\n"));
        assertThat(result.isSuccess()).isFalse();
    }

    @Test
    void shouldReportAProgramThatIsMissing() {
        CommandResult result = runner.run("no-such-program");
        assertThat(result.status()).isEqualTo(CommandResult.NOT_RUN);
        assertThat(result.output()).contains("no-such-program");
    }

    @Test
    @Timeout(60)
    void shouldGiveUpAtTheDeadlineEvenWhenAChildHoldsTheOutput() {
        CommandResult result = new ProcessRunner(Duration.ofMillis(200)).run("sh", "-c", "sleep 100 & sleep 100");
        assertThat(result.status()).isEqualTo(CommandResult.NOT_RUN);
        assertThat(result.output()).contains("did not end within");
    }
}
