// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.Verbs;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract over RDMA, with a real device. */
@Tag("rdma")
class RdmaChannelIT {
    @BeforeEach
    void requireDevice() {
        List<Device> devices = Verbs.unavailabilityReason().isPresent() ? List.of() : Device.list();
        if (System.getenv("RDMA_LAB") != null) {
            assertThat(devices).as("devices of the lab").isNotEmpty();
        }
        assumeTrue(!devices.isEmpty(), "expected: no RDMA device on this machine");
    }

    @Nested
    class BusyPolling extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.BUSY_POLL);
        }
    }

    @Nested
    class Events extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.EVENT);
        }
    }

    @Nested
    class Adaptive extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.ADAPTIVE);
        }
    }

    private static ChannelPair.Setup over(CompletionMode mode) {
        return new ChannelPair.Setup(InetAddress.getLoopbackAddress(), mode, config(), config());
    }

    private static ChannelConfig.Builder config() {
        return ChannelConfig.builder().transport(Transport.RDMA).ackTimeout(10);
    }
}
