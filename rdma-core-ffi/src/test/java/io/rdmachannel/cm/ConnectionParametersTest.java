// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.rdmacm.rdma_conn_param;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionParametersTest {
    private static final ConnectionParameters USUAL = ConnectionParameters.ofQueuePair(17);

    @Test
    void shouldNeverRetryForEverUnlessAskedTo() {
        assertThat(USUAL.retryCount()).isLessThan(7);
        assertThat(USUAL.rnrRetryCount()).isLessThan(7);
    }

    @Test
    void shouldKeepTheOtherValuesWhenOneIsChanged() {
        ConnectionParameters changed = USUAL.withOutstandingReads(4, 5)
                .withRetries(2, 3)
                .withSharedReceiveQueue(true)
                .withPrivateData(new byte[] {9});

        assertThat(changed)
                .isEqualTo(new ConnectionParameters(17, 4, 5, false, 2, 3, true, new byte[] {9}))
                .hasSameHashCodeAs(new ConnectionParameters(17, 4, 5, false, 2, 3, true, new byte[] {9}))
                .isNotEqualTo(USUAL);
    }

    @Test
    void shouldNotShareThePrivateDataWithAnybody() {
        byte[] given = {1, 2};
        ConnectionParameters parameters = USUAL.withPrivateData(given);
        given[0] = 7;
        parameters.privateData()[1] = 7;

        assertThat(parameters.privateData()).containsExactly(1, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1 << 24, Integer.MIN_VALUE})
    void shouldRefuseANumberThatHasMoreThan24Bits(int number) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionParameters.ofQueuePair(number))
                .withMessageContainingAll("queuePairNumber is " + number, "16777215");
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "256, 1", "1, -1", "1, 256"})
    void shouldRefuseOutstandingReadsThatDoNotFitIntoAByte(int resources, int depth) {
        assertThatIllegalArgumentException().isThrownBy(() -> USUAL.withOutstandingReads(resources, depth));
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "8, 1", "1, -1", "1, 8"})
    void shouldRefuseRetriesThatHaveMoreThan3Bits(int retries, int rnrRetries) {
        assertThatIllegalArgumentException().isThrownBy(() -> USUAL.withRetries(retries, rnrRetries));
    }

    @Test
    void shouldRefusePrivateDataThatNoMessageCanCarry() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> USUAL.withPrivateData(new byte[256]))
                .withMessageContainingAll("256", "255");
        assertThatNullPointerException().isThrownBy(() -> USUAL.withPrivateData(null));
    }

    @Test
    void shouldWriteEveryValueForC() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values =
                    new ConnectionParameters(0xABCDEF, 255, 254, true, 7, 6, true, new byte[] {3, 4}).write(arena);

            assertThat(rdma_conn_param.qp_num(values)).isEqualTo(0xABCDEF);
            assertThat(rdma_conn_param.responder_resources(values)).isEqualTo((byte) 255);
            assertThat(rdma_conn_param.initiator_depth(values)).isEqualTo((byte) 254);
            assertThat(rdma_conn_param.flow_control(values)).isEqualTo((byte) 1);
            assertThat(rdma_conn_param.retry_count(values)).isEqualTo((byte) 7);
            assertThat(rdma_conn_param.rnr_retry_count(values)).isEqualTo((byte) 6);
            assertThat(rdma_conn_param.srq(values)).isEqualTo((byte) 1);
            assertThat(rdma_conn_param.private_data_len(values)).isEqualTo((byte) 2);
            assertThat(Pointers.view(rdma_conn_param.private_data(values), 2).toArray(ValueLayout.JAVA_BYTE))
                    .containsExactly(3, 4);
        }
    }

    @Test
    void shouldSayInWordsWhatIsAskedFor() {
        assertThat(USUAL.withPrivateData(new byte[] {0x0A}).toString())
                .contains("queue pair 17", "retries 6", "private data 0a");
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> USUAL.withRetries(9, 0));
    }
}
