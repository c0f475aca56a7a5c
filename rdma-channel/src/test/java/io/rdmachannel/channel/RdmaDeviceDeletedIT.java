// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.rdma.LabDevice;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * A device that is deleted while a channel goes over it, and made again. The kernel waits until all have closed a
 * Soft-RoCE device, and tells nobody that it does: pollers have to see it themselves, and let go.
 */
@Timeout(value = 400, threadMode = ThreadMode.SAME_THREAD)
class RdmaDeviceDeletedIT extends LabPair {
    private static final String DEVICE = "deleted_lo";
    private static final Duration RETURN = Duration.ofMillis(500);
    private static final int TIMES = Integer.getInteger("channel.lab.deletions", 2);

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
        return super.config().device(DEVICE);
    }

    @Test
    void shouldGoOnOverTcpWhenItsDeviceIsDeletedAndReturnToTheOneThatIsMadeAgain() throws Exception {
        open(config().transport(Transport.AUTO).recovery(RecoveryPolicy.DEGRADE).returnInterval(RETURN));
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        for (int i = 0; i < TIMES; i++) {
            work(200);
            CompletableFuture<Void> deletion = CompletableFuture.runAsync(() -> LabDevice.delete(DEVICE));
            long begin = System.nanoTime();
            pollUntil("degraded", () -> left.state() == ChannelState.DEGRADED && right.state() == left.state());
            long degraded = System.nanoTime();
            work(200);
            pollUntil("deleted, since both pollers have closed it", deletion::isDone);
            deletion.get();
            long deleted = System.nanoTime();
            isThere = false;
            work(500);
            assertThat(left.transport()).isEqualTo(Transport.TCP);

            LabDevice.addOnLoopback(DEVICE);
            isThere = true;
            long again = System.nanoTime();
            pollUntil("returned", () -> left.state() == ChannelState.CONNECTED && right.state() == left.state());
            assertThat(left.transport()).isEqualTo(Transport.RDMA);
            System.out.printf(
                    "device deleted: on TCP after %d ms, deleted after %d ms, returned %d ms after it was made again%n",
                    millis(degraded - begin), millis(deleted - begin), millis(System.nanoTime() - again));
        }
        work(500);
        verify();
    }

    @Test
    void shouldWaitForTheDeviceThatIsMadeAgainWhereTcpIsNotAllowed() throws Exception {
        open(config().transport(Transport.RDMA).recovery(RecoveryPolicy.BLOCK));
        work(200);
        CompletableFuture<Void> deletion = CompletableFuture.runAsync(() -> LabDevice.delete(DEVICE));
        pollUntil("deleted, since both pollers have closed it", deletion::isDone);
        deletion.get();
        isThere = false;
        assertThat(left.state()).isEqualTo(ChannelState.RECOVERING);

        LabDevice.addOnLoopback(DEVICE);
        isThere = true;
        pollUntil("connected anew", () -> left.state() == ChannelState.CONNECTED && right.state() == left.state());
        work(500);
        verify();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
