// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class DevicePreviewTest {
    @Test
    void shouldSayWhyNoDeviceServesTheAddressOfAnotherHost() {
        ChannelConfig config = ChannelConfig.builder().build();
        InetAddress elsewhere = InetAddress.ofLiteral("203.0.113.9");
        ChannelException refused =
                catchThrowableOfType(ChannelException.class, () -> DevicePreview.of(config, elsewhere));
        assertThat(refused.reason()).isEqualTo(ChannelException.Reason.UNAVAILABLE);
        assertThat(refused).hasMessageContaining("RDMA");
    }
}
