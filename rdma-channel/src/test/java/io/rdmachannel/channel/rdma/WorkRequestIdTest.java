// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkRequestIdTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 0xFFFF_FFFFL, (1L << 48) - 1})
    void shouldBringThePostBack(long number) {
        long id = WorkRequestId.ofPost(WorkRequestId.TAGS - 1, number);
        assertThat(WorkRequestId.isReceive(id)).isFalse();
        assertThat(WorkRequestId.number(id)).isEqualTo(number);
        assertThat(WorkRequestId.tag(id)).isEqualTo(WorkRequestId.TAGS - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16_383, 65_535})
    void shouldBringTheReceiveBack(int slot) {
        long id = WorkRequestId.ofReceive(0x1234, slot);
        assertThat(WorkRequestId.isReceive(id)).isTrue();
        assertThat(WorkRequestId.number(id)).isEqualTo(slot);
        assertThat(WorkRequestId.tag(id)).isEqualTo(0x1234);
    }

    @Test
    void shouldTellLinksApart() {
        assertThat(WorkRequestId.ofPost(1, 7)).isNotEqualTo(WorkRequestId.ofPost(2, 7));
        assertThat(WorkRequestId.ofPost(1, 7)).isNotEqualTo(WorkRequestId.ofReceive(1, 7));
    }
}
