// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.rdma.LabDevice;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A pair on a real device, with the patience that an emulated processor needs. */
@Tag("rdma")
abstract class LabPair extends BreakablePair {
    @BeforeEach
    void requireDevice() {
        LabDevice.require();
    }

    @Override
    Duration limit() {
        return Duration.ofSeconds(120);
    }

    @Override
    ChannelConfigBuilder config() {
        return super.config()
                .connectTimeout(Duration.ofSeconds(60))
                .handshakeTimeout(Duration.ofSeconds(60))
                .recoveryTimeout(Duration.ofSeconds(100))
                .heartbeatTolerance(Duration.ofSeconds(10));
    }
}
