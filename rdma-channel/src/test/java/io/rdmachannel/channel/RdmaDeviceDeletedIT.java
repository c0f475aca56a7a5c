// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.rdma.LabDevice;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * A device that is deleted while a channel goes over it, and made again. The kernel waits until all have closed a
 * Soft-RoCE device, and tells nobody that it does, so the channel goes on until its poller is closed.
 */
@Timeout(value = 400, threadMode = ThreadMode.SAME_THREAD)
class RdmaDeviceDeletedIT extends LabPair {
    private static final String DEVICE = "deleted_lo";

    private boolean isThere;

    @BeforeEach
    void addDevice() {
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
    ChannelConfigBuilder config() {
        return super.config().device(DEVICE).recovery(RecoveryPolicy.DEGRADE);
    }

    @Test
    void shouldLoseNothingWhenItsDeviceIsDeletedAndUseTheNewOneWithANewPoller() throws Exception {
        open(config());
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        work(200);
        CompletableFuture<Void> deletion = CompletableFuture.runAsync(() -> LabDevice.delete(DEVICE));
        pollUntil("the deletion has begun", () -> !LabDevice.isShown(DEVICE));
        work(1_000);
        verify();
        assertThat(deletion).isNotDone();
        closeAll();
        deletion.get(60, TimeUnit.SECONDS);
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
