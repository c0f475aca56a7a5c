// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class PingDataTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(64);

    @Test
    void shouldWriteTheTextOfAnRping() {
        PingData.fill(memory, 0);

        assertThat(PingData.text(memory, 64)).startsWith("rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abc");
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 63)).isZero();
        assertThat(PingData.textLength(memory, 64)).isEqualTo(64);
    }

    @Test
    void shouldBeginOneLetterFurtherWithEachPingAndStartOver() {
        PingData.fill(memory, 57);
        assertThat(PingData.text(memory, 64)).startsWith("rdma-ping-57: zABC");

        PingData.fill(memory, 58);
        assertThat(PingData.text(memory, 64)).startsWith("rdma-ping-58: ABC");
    }

    @Test
    void shouldMeasureATextUpToItsZero() {
        memory.setString(0, "abc");

        assertThat(PingData.textLength(memory, 64)).isEqualTo(4);
        memory.fill((byte) 'x');
        assertThat(PingData.textLength(memory, 64)).isEqualTo(64);
    }
}
