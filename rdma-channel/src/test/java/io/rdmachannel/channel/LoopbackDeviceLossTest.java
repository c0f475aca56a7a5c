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
        loseAndReturn(5, () -> LoopbackFaults.breakDevice(0), LoopbackFaults::reset);
    }

    /** As when a driver is unloaded, or resets an adapter: the kernel has destroyed all, and refuses everything. */
    @Test
    void shouldGoOnOverTcpWhenTheKernelTakesTheDeviceAwayAndReturnToTheNewOne() throws Exception {
        open(degrading());
        loseAndReturn(5, () -> LoopbackFaults.removeDevice(0), () -> LoopbackFaults.addDevice(0));
    }

    @Test
    void shouldShareReceivesAgainOnTheNewDevice() throws Exception {
        sharedReceives = new SharedReceives(4, 256, 4096);
        open(degrading());
        loseAndReturn(3, () -> LoopbackFaults.breakDevice(0), LoopbackFaults::reset);
    }

    private void loseAndReturn(int times, Runnable lose, Runnable bringBack) {
        for (int i = 0; i < times; i++) {
            work(300);
            lose.run();
            awaitLetGo(ChannelState.DEGRADED);
            work(300);
            assertThat(left.transport()).isEqualTo(Transport.TCP);
            bringBack.run();
            awaitReturn();
        }
        work(1_000);
        verify();
    }

    private void awaitLetGo(ChannelState state) {
        awaitState(state);
        pollUntil("both have closed it", () -> openDevices() == 0);
    }

    private void awaitReturn() {
        awaitState(ChannelState.CONNECTED);
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        assertThat(openDevices()).isEqualTo(2);
    }

    @Test
    void shouldHoldNothingMoreAfterManyLosses() throws Exception {
        open(degrading().returnInterval(Duration.ofMillis(20)));
        for (int i = 0; i < 10; i++) {
            loseForAMoment();
        }
        Usage before = Usage.now();
        for (int i = 0; i < 40; i++) {
            loseForAMoment();
        }
        verify();
        atLeft.outcomes.clear();
        atRight.outcomes.clear();
        Usage.now().requireNotMuchMoreThan(before);
    }

    private void loseForAMoment() {
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
        awaitLetGo(ChannelState.RECOVERING);
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
        awaitLetGo(ChannelState.DEGRADED);
        LoopbackFaults.reset();
        awaitReturn();
        work(300);
        verify();
    }

    @Test
    void shouldStayOnTcpWithNothingOpenWhenTheNewDeviceRefusesTheMemory() throws Exception {
        open(degrading());
        work(300);
        LoopbackFaults.breakDevice(0);
        awaitLetGo(ChannelState.DEGRADED);
        LoopbackFaults.reset();
        long before = LoopbackFaults.calls("ibv_reg_mr");
        LoopbackFaults.failCalls("ibv_reg_mr", 0, 3, LoopbackFaults.ENOMEM);
        pollUntil("it was refused three times", () -> LoopbackFaults.calls("ibv_reg_mr") >= before + 3);
        work(300);
        awaitReturn();
        work(300);
        verify();
    }

    /** The one that is degraded would return in an hour only, so it is the new one that has the device opened. */
    @Test
    void shouldServeNewChannelsOfThePollersToo() throws Exception {
        open(degrading().returnInterval(Duration.ofHours(1)));
        work(100);
        LoopbackFaults.breakDevice(0);
        awaitLetGo(ChannelState.DEGRADED);
        LoopbackFaults.reset();

        var accepted = listener.acceptAsync().toCompletableFuture();
        var connected = RdmaChannel.connectAsync(
                        listener.address(),
                        config().transport(Transport.RDMA).poller(leftPoller).build(),
                        new RecoveringEnd(seed))
                .toCompletableFuture();
        pollUntil("a second pair", () -> accepted.isDone() && connected.isDone());
        assertThat(connected.get().transport()).isEqualTo(Transport.RDMA);
        assertThat(left.state()).isEqualTo(ChannelState.DEGRADED);
        assertThat(openDevices()).isEqualTo(2);
        connected.get().close();
        pollUntil("closed", () -> accepted.join().state().isOver());
        work(100);
        verify();
    }
}
