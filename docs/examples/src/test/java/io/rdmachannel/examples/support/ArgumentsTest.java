// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Transport;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static final Set<String> KNOWN = Set.of("transport", "mode", "port", "records");

    @Test
    void shouldTellOptionsFromOperands() {
        Arguments given = Arguments.parse(KNOWN, "--transport", "tcp", "left", "--records", "7", "right");

        assertThat(given.operands()).containsExactly("left", "right");
        assertThat(given.transport()).isEqualTo(Transport.TCP);
        assertThat(given.mode()).isEqualTo(CompletionMode.ADAPTIVE);
        assertThat(given.number("records", 1, 0, 9)).isEqualTo(7);
        assertThat(given.number("port", 5, 0, 9)).isEqualTo(5);
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertThatThrownBy(() -> Arguments.parse(KNOWN, "--speed", "9"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--speed");
        assertThatThrownBy(() -> Arguments.parse(KNOWN, "--records"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("needs a value");
        Arguments given = Arguments.parse(KNOWN, "--records", "many", "--transport", "pigeon");
        assertThatThrownBy(() -> given.number("records", 1, 0, 9))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("0 to 9");
        assertThatThrownBy(given::transport)
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("[auto, rdma, tcp]");
    }

    @Test
    void shouldReadAddressesOfBothKinds() {
        assertThat(Arguments.address("127.0.0.1:81", 7).getPort()).isEqualTo(81);
        assertThat(Arguments.address("127.0.0.1", 7).getPort()).isEqualTo(7);
        assertThat(Arguments.address("[::1]:81", 7).getPort()).isEqualTo(81);
        assertThat(Arguments.address("::1", 7).getPort()).isEqualTo(7);
        assertThat(Arguments.address("[::1]", 7).getAddress().isLoopbackAddress())
                .isTrue();
        assertThatThrownBy(() -> Arguments.address("127.0.0.1:x", 7)).isInstanceOf(UsageException.class);
    }
}
