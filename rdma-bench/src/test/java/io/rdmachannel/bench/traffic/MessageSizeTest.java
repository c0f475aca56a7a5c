// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageSizeTest {
    @ParameterizedTest
    @CsvSource({"1,1", "64,64", "4k,4096", "64K,65536", "1m,1048576", "64M,67108864"})
    void shouldReadSizesWithAndWithoutUnits(String text, int bytes) {
        assertThat(MessageSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "k", "4g", "4 k", "67108865", "65537k", "9999999999"})
    void shouldRefuseWhatIsNoSizeOrOutOfRange(String text) {
        assertThatThrownBy(() -> MessageSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHavePerftestsSizes() {
        assertThat(MessageSize.all()).hasSize(23).startsWith(2, 4, 8).endsWith(4194304, 8388608);
    }
}
