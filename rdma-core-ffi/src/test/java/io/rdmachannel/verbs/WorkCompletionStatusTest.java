// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkCompletionStatusTest {
    private static final int LAST = ibverbs_constants.IBV_WC_TM_RNDV_INCOMPLETE();

    @ParameterizedTest
    @EnumSource
    void everyConstantIsFoundByItsNumber(WorkCompletionStatus status) {
        assertThat(WorkCompletionStatus.of(status.raw())).isSameAs(status);
    }

    @Test
    void everyNumberOfTheHeaderHasItsOwnConstant() {
        for (int raw = 0; raw <= LAST; raw++) {
            assertThat(WorkCompletionStatus.of(raw)).isNotEqualTo(WorkCompletionStatus.UNKNOWN);
            assertThat(WorkCompletionStatus.of(raw).raw()).isEqualTo(raw);
        }
        Set<Integer> numbers = Stream.of(WorkCompletionStatus.values())
                .map(WorkCompletionStatus::raw)
                .collect(Collectors.toSet());
        assertThat(numbers).hasSameSizeAs(WorkCompletionStatus.values());
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 25, 1000, -1, -2, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void otherNumbersAreUnknown(int raw) {
        assertThat(WorkCompletionStatus.of(raw)).isSameAs(WorkCompletionStatus.UNKNOWN);
    }

    @Test
    void theUsualOnesAreWhereTheHeaderHasThem() {
        assertThat(WorkCompletionStatus.of(ibverbs_constants.IBV_WC_SUCCESS())).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(WorkCompletionStatus.of(ibverbs_constants.IBV_WC_WR_FLUSH_ERR()))
                .isEqualTo(WorkCompletionStatus.FLUSHED);
        assertThat(WorkCompletionStatus.of(ibverbs_constants.IBV_WC_RETRY_EXC_ERR()))
                .isEqualTo(WorkCompletionStatus.RETRY_EXCEEDED_ERROR);
        assertThat(WorkCompletionStatus.of(ibverbs_constants.IBV_WC_RNR_RETRY_EXC_ERR()))
                .isEqualTo(WorkCompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED_ERROR);
        assertThat(WorkCompletionStatus.of(ibverbs_constants.IBV_WC_REM_ACCESS_ERR()))
                .isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(WorkCompletionStatus.of(ibverbs_constants.IBV_WC_LOC_PROT_ERR()))
                .isEqualTo(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
    }
}
