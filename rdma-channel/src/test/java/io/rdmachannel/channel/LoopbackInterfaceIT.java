// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.rdma.LabDevice;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A second Soft-RoCE device, on the interface {@code lo}, beside the lab's own. */
@Tag("rdma")
@Timeout(value = 180, threadMode = ThreadMode.SAME_THREAD)
class LoopbackInterfaceIT {
    private static final String DEVICE = "another_lo";

    private boolean added;

    @BeforeEach
    void addDevice() throws Exception {
        LabDevice.require();
        LabDevice.addOnLoopback(DEVICE);
        added = true;
    }

    @AfterEach
    void deleteDevice() throws Exception {
        if (added) {
            LabDevice.delete(DEVICE);
        }
    }

    @Test
    void shouldNotChooseItUnlessItIsAskedForTrouble46() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        ChannelConfig open = RdmaChannelCases.config().build();
        ChannelConfig asked = RdmaChannelCases.config().device(DEVICE).build();
        assertThat(DevicePreview.of(open, here).device()).isNotEqualTo(DEVICE);
        assertThat(DevicePreview.of(asked, here).device()).isEqualTo(DEVICE);
        Recorder atRight = new Recorder();
        byte[] bytes = Contents.bytes(46, 100_000);
        try (ChannelPair pair =
                new ChannelPair(RdmaChannelCases.over(CompletionMode.ADAPTIVE), new Recorder(), atRight)) {
            assertThat(pair.left.transport()).isEqualTo(Transport.RDMA);
            assertThat(pair.left.send(Contents.memory(bytes), 0, bytes.length)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("it has arrived", () -> atRight.messages.size() == 1);
            assertThat(atRight.messages.getFirst()).isEqualTo(bytes);
        }
    }
}
