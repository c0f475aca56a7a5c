// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A device that breaks under channels, and works again: the poller closes it, and opens it anew. */
@LoopbackTest
class LoopbackDeviceLossTest extends BreakablePair {
    private SharedReceives sharedReceives;

    @Override
    Transport transport() {
        return Transport.RDMA;
    }

    @Override
    PollerConfig pollerConfig(String name) {
        PollerConfig plain = super.pollerConfig(name);
        return sharedReceives == null ? plain : plain.withSharedReceives(sharedReceives);
    }

    private ChannelConfigBuilder degrading() {
        return config().transport(Transport.AUTO)
                .recovery(RecoveryPolicy.DEGRADE)
                .returnInterval(Duration.ofMillis(100));
    }

    private static int openDevices() {
        return LoopbackFaults.live().get("contexts");
    }

    private void awaitState(ChannelState state) {
        pollUntil(state.toString(), () -> left.state() == state && right.state() == state);
    }

    @Test
    void shouldGoOnOverTcpWhileTheDeviceIsGoneAndReturnToRdmaWhenThereIsOneAgain() throws Exception {
        open(degrading());
        for (int i = 0; i < 5; i++) {
            work(300);
            LoopbackFaults.breakDevice(0);
            awaitState(ChannelState.DEGRADED);
            pollUntil("both have closed it", () -> openDevices() == 0);
            work(300);
            assertThat(left.transport()).isEqualTo(Transport.TCP);

            LoopbackFaults.reset();
            awaitState(ChannelState.CONNECTED);
            assertThat(left.transport()).isEqualTo(Transport.RDMA);
            assertThat(openDevices()).isEqualTo(2);
        }
        work(300);
        verify();
    }

    /** As when a driver is unloaded, or resets an adapter: the kernel has destroyed all, and refuses everything. */
    @Test
    void shouldGoOnOverTcpWhenTheKernelTakesTheDeviceAwayAndReturnToTheNewOne() throws Exception {
        open(degrading());
        for (int i = 0; i < 5; i++) {
            work(300);
            LoopbackFaults.removeDevice(0);
            awaitState(ChannelState.DEGRADED);
            pollUntil("both have closed it", () -> openDevices() == 0);
            work(300);
            LoopbackFaults.addDevice(0);
            awaitState(ChannelState.CONNECTED);
            assertThat(left.transport()).isEqualTo(Transport.RDMA);
        }
        work(300);
        verify();
    }

    @Test
    void shouldHoldNothingMoreAfterManyLosses() throws Exception {
        open(degrading().returnInterval(Duration.ofMillis(20)));
        for (int i = 0; i < 10; i++) {
            loseAndReturn();
        }
        Usage before = Usage.now();
        for (int i = 0; i < 40; i++) {
            loseAndReturn();
        }
        verify();
        atLeft.outcomes.clear();
        atRight.outcomes.clear();
        Usage.now().requireNotMuchMoreThan(before);
    }

    private void loseAndReturn() {
        work(20);
        LoopbackFaults.removeDevice(0);
        awaitState(ChannelState.DEGRADED);
        LoopbackFaults.addDevice(0);
        awaitState(ChannelState.CONNECTED);
    }

    @Test
    void shouldWaitForTheDeviceWhereTcpIsNotAllowed() throws Exception {
        open(config().recovery(RecoveryPolicy.BLOCK));
        work(300);
        LoopbackFaults.breakDevice(0);
        awaitState(ChannelState.RECOVERING);
        pollUntil("both have closed it", () -> openDevices() == 0);
        LoopbackFaults.reset();
        awaitState(ChannelState.CONNECTED);
        work(300);
        verify();
    }

    @Test
    void shouldGetAnotherCompletionQueueWhenOneOverranTrouble05() throws Exception {
        open(config().recovery(RecoveryPolicy.BLOCK));
        for (int i = 0; i < 4; i++) {
            work(300);
            atLeft.states.clear();
            LoopbackFaults.overrun(LoopbackFaults.queuePairs()[i % 2]);
            pollUntil("noticed", () -> atLeft.states.contains(ChannelState.RECOVERING));
            awaitState(ChannelState.CONNECTED);
        }
        work(300);
        verify();
    }

    @Test
    void shouldCloseTheDeviceLaterWhenItRefusesNow() throws Exception {
        open(degrading());
        work(300);
        LoopbackFaults.failCalls("ibv_destroy_cq", 0, 1, LoopbackFaults.EIO);
        LoopbackFaults.failCalls("ibv_close_device", 0, 1, LoopbackFaults.EIO);
        LoopbackFaults.breakDevice(0);
        awaitState(ChannelState.DEGRADED);
        pollUntil("both have closed it", () -> openDevices() == 0);
        LoopbackFaults.reset();
        awaitState(ChannelState.CONNECTED);
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        work(300);
        verify();
    }

    @Test
    void shouldStayOnTcpWithNothingOpenWhenTheNewDeviceRefusesTheMemory() throws Exception {
        open(degrading());
        work(300);
        LoopbackFaults.breakDevice(0);
        awaitState(ChannelState.DEGRADED);
        pollUntil("both have closed it", () -> openDevices() == 0);
        LoopbackFaults.reset();
        LoopbackFaults.failCalls("ibv_reg_mr", 0, 3, LoopbackFaults.ENOMEM);
        pollUntil("it was refused", () -> LoopbackFaults.calls("ibv_reg_mr") > 0);
        work(300);
        awaitState(ChannelState.CONNECTED);
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        assertThat(openDevices()).isEqualTo(2);
        work(300);
        verify();
    }

    @Test
    void shouldShareReceivesAgainOnTheNewDevice() throws Exception {
        sharedReceives = new SharedReceives(4, 256, 4096);
        open(degrading());
        for (int i = 0; i < 3; i++) {
            work(300);
            LoopbackFaults.breakDevice(0);
            awaitState(ChannelState.DEGRADED);
            pollUntil("both have closed it", () -> openDevices() == 0);
            work(300);
            LoopbackFaults.reset();
            awaitState(ChannelState.CONNECTED);
            assertThat(left.transport()).isEqualTo(Transport.RDMA);
        }
        work(1_000);
        verify();
    }

    @Test
    void shouldServeNewChannelsOfThePollersToo() throws Exception {
        open(degrading());
        work(100);
        LoopbackFaults.breakDevice(0);
        awaitState(ChannelState.DEGRADED);
        pollUntil("both have closed it", () -> openDevices() == 0);
        LoopbackFaults.reset();

        var accepted = listener.acceptAsync().toCompletableFuture();
        var connected = RdmaChannel.connectAsync(
                        listener.address(),
                        config().transport(Transport.RDMA).poller(leftPoller).build(),
                        new RecoveringEnd(seed))
                .toCompletableFuture();
        pollUntil("a second pair", () -> accepted.isDone() && connected.isDone());
        assertThat(connected.get().transport()).isEqualTo(Transport.RDMA);
        awaitState(ChannelState.CONNECTED);
        assertThat(openDevices()).isEqualTo(2);
        connected.get().close();
        pollUntil("closed", () -> accepted.join().state().isOver());
        work(100);
        verify();
    }
}
