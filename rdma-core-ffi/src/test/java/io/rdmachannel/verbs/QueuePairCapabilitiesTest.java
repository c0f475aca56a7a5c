// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_cap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class QueuePairCapabilitiesTest {
    @Test
    void everyFieldHasItsOwnPlace() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = ibv_qp_cap.allocate(arena);
            QueuePairCapabilities capabilities = new QueuePairCapabilities(1, 2, 3, 4, 5);

            capabilities.writeTo(segment);

            assertThat(ibv_qp_cap.max_send_wr(segment)).isEqualTo(1);
            assertThat(ibv_qp_cap.max_recv_wr(segment)).isEqualTo(2);
            assertThat(ibv_qp_cap.max_send_sge(segment)).isEqualTo(3);
            assertThat(ibv_qp_cap.max_recv_sge(segment)).isEqualTo(4);
            assertThat(ibv_qp_cap.max_inline_data(segment)).isEqualTo(5);
            assertThat(QueuePairCapabilities.from(segment)).isEqualTo(capabilities);
        }
    }

    @Test
    void grantedValuesBeyondIntAreTheLargestInt() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = ibv_qp_cap.allocate(arena);
            segment.fill((byte) 0xFF);

            assertThat(QueuePairCapabilities.from(segment).maxSendRequests()).isEqualTo(Integer.MAX_VALUE);
        }
    }

    @Test
    void negativeValuesAreRefusedByName() {
        refused("maxSendRequests", () -> new QueuePairCapabilities(-1, 0, 0, 0, 0));
        refused("maxReceiveRequests", () -> new QueuePairCapabilities(0, -1, 0, 0, 0));
        refused("maxSendScatterGather", () -> new QueuePairCapabilities(0, 0, -1, 0, 0));
        refused("maxReceiveScatterGather", () -> new QueuePairCapabilities(0, 0, 0, -1, 0));
        refused("maxInlineBytes", () -> new QueuePairCapabilities(0, 0, 0, 0, -1));
    }

    private static void refused(String name, Runnable construction) {
        assertThatIllegalArgumentException().isThrownBy(construction::run).withMessageStartingWith(name + " is -1");
    }
}
