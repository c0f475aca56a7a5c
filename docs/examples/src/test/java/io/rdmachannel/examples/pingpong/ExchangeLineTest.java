// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.verbs.Gid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExchangeLineTest {
    private static final String OF_C = "0000:000011:e974de:00000000000000000000ffff0a4d0001";

    @Test
    void shouldReadWhatCWrites() {
        ExchangeLine line = ExchangeLine.parse(OF_C);

        assertThat(line).isEqualTo(new ExchangeLine(0, 0x11, 0xe974de, Gid.parse("::ffff:10.77.0.1")));
    }

    @Test
    void shouldWriteWhatCReads() {
        assertThat(ExchangeLine.parse(OF_C).format()).isEqualTo(OF_C).hasSize(ExchangeLine.LENGTH);
    }

    @Test
    void shouldKeepTheWholeRangeOfEachField() {
        ExchangeLine line = new ExchangeLine(0xffff, 0xffffff, 0xfffffe, Gid.parse("fe80::1:2"));

        assertThat(ExchangeLine.parse(line.format())).isEqualTo(line);
        assertThat(line.format()).hasSize(ExchangeLine.LENGTH);
    }

    @Test
    void shouldReadCapitalDigits() {
        assertThat(ExchangeLine.parse("00AB:00000C:00000D:FE80000000000000000000000000000F")
                        .lid())
                .isEqualTo(0xab);
    }

    @Test
    void shouldDescribeAnAddressAsCDoes() {
        assertThat(ExchangeLine.parse(OF_C).describe())
                .isEqualTo("LID 0x0000, QPN 0x000011, PSN 0xe974de, GID ::ffff:10.77.0.1");
    }

    @Test
    void shouldTakeZerosForNoGid() {
        assertThat(ExchangeLine.parse("0001:000002:000003:" + "0".repeat(32)).gid())
                .isEqualTo(ExchangeLine.NO_GID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1",
                "0000:000011:e974de:00000000000000000000ffff0a4d000",
                "0000:000011:e974de:00000000000000000000ffff0a4d00011",
                "0000-000011:e974de:00000000000000000000ffff0a4d0001",
                "-001:000011:e974de:00000000000000000000ffff0a4d0001",
                "0000:00001g:e974de:00000000000000000000ffff0a4d0001"
            })
    void shouldRefuseAnyOtherText(String text) {
        assertThatThrownBy(() -> ExchangeLine.parse(text))
                .isInstanceOf(PingPongException.class)
                .hasMessageContaining("instead of its address")
                .hasMessageContaining(text);
    }

    @Test
    void shouldNotShowControlCharactersOfAWrongText() {
        assertThatThrownBy(() -> ExchangeLine.parse("\u001b[2J\n" + "x".repeat(1000)))
                .hasMessageContaining("\".[2J.xxx")
                .hasMessageNotContaining("\n")
                .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(250));
    }
}
