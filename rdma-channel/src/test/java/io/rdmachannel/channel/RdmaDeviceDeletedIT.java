// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.rdma.LabDevice;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * A device that is deleted while a channel goes over it, and made again. The kernel waits until all have closed a
 * Soft-RoCE device, and tells nobody that it does, so the channel goes on until its poller is closed.
 */
@Tag("rdma")
@Timeout(value = 400, threadMode = ThreadMode.SAME_THREAD)
class RdmaDeviceDeletedIT extends BreakablePair {
    private static final String DEVICE = "deleted_lo";

    private boolean isThere;

    @BeforeEach
    void addDevice() throws Exception {
        LabDevice.require();
        LabDevice.addOnLoopback(DEVICE);
        isThere = true;
    }

    @AfterEach
    void deleteDevice() throws Exception {
        closeAll();
        if (isThere) {
            LabDevice.delete(DEVICE);
        }
    }

    @Override
    Transport transport() {
        return Transport.AUTO;
    }

    @Override
    Duration limit() {
        return Duration.ofSeconds(120);
    }

    @Override
    ChannelConfigBuilder config() {
        return super.config()
                .device(DEVICE)
                .recovery(RecoveryPolicy.DEGRADE)
                .connectTimeout(Duration.ofSeconds(60))
                .handshakeTimeout(Duration.ofSeconds(60))
                .heartbeatTolerance(Duration.ofSeconds(10));
    }

    @Test
    void shouldLoseNothingWhenItsDeviceIsDeletedAndUseTheNewOneWithANewPoller() throws Exception {
        open(config());
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        work(200);
        Process deletion = LabDevice.startDeletion(DEVICE);
        work(1_000);
        verify();
        closeAll();
        LabDevice.requireSuccess(deletion);
        isThere = false;

        LabDevice.addOnLoopback(DEVICE);
        isThere = true;
        atLeft = new RecoveringEnd(seed);
        atRight = new RecoveringEnd(seed + 1);
        open(config());
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        work(200);
        verify();
    }
}
