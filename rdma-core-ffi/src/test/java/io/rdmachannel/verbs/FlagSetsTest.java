// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlagSetsTest {
    @Test
    void everySetOfCompletionFlagsSurvivesItsBits() {
        for (int bits = 0; bits < 1 << WorkCompletionFlag.values().length; bits++) {
            assertThat(WorkCompletionFlag.bits(WorkCompletionFlag.of(bits))).isEqualTo(bits);
        }
    }

    @Test
    void completionFlagsAreMadeOnceOnly() {
        assertThat(WorkCompletionFlag.of(2)).isSameAs(WorkCompletionFlag.of(2));
        assertThat(WorkCompletionFlag.of(2 | 1 << 12)).isSameAs(WorkCompletionFlag.of(2));
        assertThat(WorkCompletionFlag.of(-1)).isEqualTo(EnumSet.allOf(WorkCompletionFlag.class));
        assertThatThrownBy(() -> WorkCompletionFlag.of(2).clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aCompletionFlagFindsItselfInBits() {
        assertThat(WorkCompletionFlag.WITH_IMMEDIATE.isIn(WorkCompletionFlag.WITH_IMMEDIATE.bit()))
                .isTrue();
        assertThat(WorkCompletionFlag.WITH_IMMEDIATE.isIn(~WorkCompletionFlag.WITH_IMMEDIATE.bit()))
                .isFalse();
    }

    @Test
    void sendFlagsAndAttributesAndCapabilitiesSurviveTheirBits() {
        Set<SendFlag> send = EnumSet.of(SendFlag.SIGNALED, SendFlag.INLINE);
        assertThat(SendFlag.bits(send)).isEqualTo(0b1010);
        assertThat(SendFlag.of(0b1010)).isEqualTo(send);

        Set<QueuePairAttribute> all = EnumSet.allOf(QueuePairAttribute.class);
        assertThat(QueuePairAttribute.of(QueuePairAttribute.bits(all))).isEqualTo(all);

        Set<DeviceCapability> capabilities = EnumSet.of(DeviceCapability.MEMORY_WINDOW_TYPE_2B);
        assertThat(DeviceCapability.of(DeviceCapability.bits(capabilities))).isEqualTo(capabilities);
    }
}
