// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private final Admission admission = new Admission(100);

    @Test
    void shouldRefuseMoreThanTheQueueHoldsAndNameBothNumbers() {
        admission.take(60);
        assertThatThrownBy(() -> admission.take(41))
                .isInstanceOfSatisfying(
                        ChannelException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(ChannelException.Reason.UNAVAILABLE))
                .hasMessageContaining("41")
                .hasMessageContaining("100");
        admission.take(40);
    }

    @Test
    void shouldGiveBackAtOnceWhatIsNotInTheQueue() {
        admission.take(100);
        admission.release(60);
        admission.take(60);
    }

    @Test
    void shouldGiveBackTheRestOnceTheQueueWasEmpty() {
        admission.take(100);
        admission.retire(60);
        assertThatThrownBy(() -> admission.take(60)).isInstanceOf(ChannelException.class);
        int retired = admission.retired();
        admission.retire(10);
        admission.settle(retired);
        admission.take(60);
        assertThat(admission.retired()).isEqualTo(10);
    }
}
