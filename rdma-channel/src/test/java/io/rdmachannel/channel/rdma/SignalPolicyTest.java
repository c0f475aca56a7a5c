// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignalPolicyTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 24, 144, 16_400})
    void shouldSignalAtLeastOneInAQuarterOfTheQueue(int depth) {
        List<Long> signaled = signaled(depth, 3 * depth);
        assertThat(signaled).hasSize(3 * depth / Math.clamp(depth / 4, 1, 64));
        long last = 0;
        for (long number : signaled) {
            assertThat(number - last).isLessThanOrEqualTo(Math.clamp(depth / 4, 1, 64));
            last = number;
        }
    }

    @Test
    void shouldSignalEveryOperation() {
        SignalPolicy policy = new SignalPolicy(144);
        assertThat(policy.wants(1, true)).isTrue();
        assertThat(policy.wants(1, false)).isFalse();
    }

    @Test
    void shouldCountFromTheLastSignaledPost() {
        SignalPolicy policy = new SignalPolicy(144);
        policy.signaled(30);
        assertThat(policy.wants(36, false)).isFalse();
        assertThat(policy.wants(65, false)).isFalse();
        assertThat(policy.wants(66, false)).isTrue();
    }

    private static List<Long> signaled(int depth, int posts) {
        SignalPolicy policy = new SignalPolicy(depth);
        List<Long> signaled = new ArrayList<>();
        for (long number = 1; number <= posts; number++) {
            if (policy.wants(number, false)) {
                policy.signaled(number);
                signaled.add(number);
            }
        }
        return signaled;
    }
}
