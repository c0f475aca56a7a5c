// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.verbs.AccessFlag;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegionExposureTest {
    @Test
    void shouldAskForNoMoreRightsThanWereGiven() {
        assertThat(RegionExposure.access(Set.of())).isEmpty();
        assertThat(RegionExposure.access(Set.of(RegionRight.READ))).containsExactly(AccessFlag.REMOTE_READ);
        assertThat(RegionExposure.access(Set.of(RegionRight.WRITE)))
                .containsExactlyInAnyOrder(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        assertThat(RegionExposure.access(Set.of(RegionRight.ATOMIC)))
                .containsExactlyInAnyOrder(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
        assertThat(RegionExposure.access(EnumSet.allOf(RegionRight.class)))
                .doesNotContain(AccessFlag.MEMORY_WINDOW_BIND, AccessFlag.ZERO_BASED)
                .hasSize(4);
    }
}
