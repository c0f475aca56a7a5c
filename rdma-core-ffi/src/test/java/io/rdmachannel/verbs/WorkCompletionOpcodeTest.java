// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkCompletionOpcodeTest {
    @ParameterizedTest
    @EnumSource
    void everyConstantIsFoundByItsNumber(WorkCompletionOpcode opcode) {
        assertThat(WorkCompletionOpcode.of(opcode.raw())).isSameAs(opcode);
    }

    @Test
    void receivesAreCountedFrom128() {
        assertThat(WorkCompletionOpcode.of(128)).isEqualTo(WorkCompletionOpcode.RECEIVE);
        assertThat(WorkCompletionOpcode.of(129)).isEqualTo(WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
    }

    @Test
    void opcodesOfOneDriverAreUnknown() {
        assertThat(WorkCompletionOpcode.of(ibverbs_constants.IBV_WC_DRIVER1())).isEqualTo(WorkCompletionOpcode.UNKNOWN);
        assertThat(WorkCompletionOpcode.of(ibverbs_constants.IBV_WC_DRIVER2())).isEqualTo(WorkCompletionOpcode.UNKNOWN);
        assertThat(WorkCompletionOpcode.of(ibverbs_constants.IBV_WC_DRIVER3())).isEqualTo(WorkCompletionOpcode.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 10, 127, 138, 1 << 20, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void otherNumbersAreUnknown(int raw) {
        assertThat(WorkCompletionOpcode.of(raw)).isEqualTo(WorkCompletionOpcode.UNKNOWN);
    }

    @Test
    void onlyReceivesSayThatTheyAre() {
        assertThat(WorkCompletionOpcode.RECEIVE.isReceive()).isTrue();
        assertThat(WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE.isReceive()).isTrue();
        assertThat(WorkCompletionOpcode.SEND.isReceive()).isFalse();
        assertThat(WorkCompletionOpcode.FETCH_AND_ADD.isReceive()).isFalse();
        assertThat(WorkCompletionOpcode.UNKNOWN.isReceive()).isFalse();
    }
}
