// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.rdma.LabDevice;
import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.cm.ConnectionEventType;
import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.cm.ConnectionParameters;
import io.rdmachannel.cm.EventChannel;
import io.rdmachannel.cm.PortSpace;
import io.rdmachannel.testing.Deadline;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The contract over RDMA by connections of librdmacm, with a real device, and how such connections fail. */
@Tag("rdma")
@Timeout(value = 120, threadMode = ThreadMode.SAME_THREAD)
class ManagedChannelIT {
    private static String before;

    @BeforeAll
    static void requireDevice() throws Exception {
        LabDevice.require();
        // The library keeps a device open that it has used once.
        new ChannelPair(over(CompletionMode.EVENT), new Recorder(), new Recorder()).close();
        before = LabDevice.resources();
    }

    @AfterAll
    static void shouldLeaveNothingInTheKernel() throws Exception {
        if (before != null) {
            LabDevice.requireResources(before);
        }
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

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        try (Poller poller = Poller.start(PollerConfig.of("lonely"))) {
            ChannelConfig config = config().poller(poller)
                    .handshakeTimeout(Duration.ofSeconds(20))
                    .connectTimeout(Duration.ofSeconds(20))
                    .build();
            InetSocketAddress nobody = new InetSocketAddress(LabDevice.ownAddress(), 7999);
            assertThatThrownBy(() -> RdmaChannel.connect(nobody, config, new Recorder()))
                    .isInstanceOfSatisfying(
                            ChannelException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(ChannelException.Reason.UNREACHABLE))
                    .hasMessageContaining("nobody listens there");
        }
    }

    @Test
    void shouldRefuseAPeerThatIsNoChannel() throws Exception {
        try (Poller poller = Poller.start(PollerConfig.of("listening"));
                RdmaListener listener = RdmaListener.bind(
                        new InetSocketAddress(LabDevice.ownAddress(), 0),
                        config().poller(poller).build(),
                        Recorder::new);
                EventChannel events = EventChannel.create()) {
            ConnectionId id = events.createId(PortSpace.TCP);
            id.resolveAddress(null, listener.address(), 10, TimeUnit.SECONDS);
            next(events, ConnectionEventType.ADDRESS_RESOLVED);
            id.resolveRoute(10, TimeUnit.SECONDS);
            next(events, ConnectionEventType.ROUTE_RESOLVED);
            id.connect(ConnectionParameters.ofQueuePair(77)
                    .withPrivateData("something else".getBytes(StandardCharsets.UTF_8)));
            ConnectionEvent answer = next(events, ConnectionEventType.REJECTED);
            assertThat(new String(answer.privateData(), StandardCharsets.UTF_8)).contains("the peer is no channel");
            assertThat(poller.channelCount()).isZero();
        }
    }

    @Test
    void shouldFailWhenThePeerDisconnectsWithoutALastFrame() throws Exception {
        Recorder atLeft = new Recorder();
        try (ChannelPair pair = new ChannelPair(over(CompletionMode.EVENT), atLeft, new Recorder())) {
            pair.rightPoller.close();
            pair.pollLeftUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
            assertThat(pair.left.failure().orElseThrow().reason())
                    .isIn(ChannelException.Reason.PEER_GONE, ChannelException.Reason.TRANSPORT);
        }
    }

    @Test
    void shouldRefuseAnAddressThatIsNoDevices() {
        InetSocketAddress foreign = new InetSocketAddress("192.0.2.7", 0);
        assertThatThrownBy(() -> RdmaListener.bind(foreign, config().build(), Recorder::new))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("must be one of an RDMA device");
        Deadline.usual()
                .await(
                        "nothing of its poller is left",
                        () -> Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(thread -> thread.getName().equals("rdma-channel-manager-listener-0")));
    }

    private static ConnectionEvent next(EventChannel events, ConnectionEventType type) {
        ConnectionEvent event = events.await(30, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(type);
        return event;
    }

    private static ChannelPair.Setup over(CompletionMode mode) {
        return new ChannelPair.Setup(LabDevice.ownAddress(), mode, config(), config());
    }

    private static ChannelConfigBuilder config() {
        return ChannelConfig.builder()
                .transport(Transport.RDMA)
                .connectionMethod(ConnectionMethod.RDMA_CM)
                .ackTimeout(10)
                .connectTimeout(Duration.ofSeconds(90))
                .handshakeTimeout(Duration.ofSeconds(60));
    }
}
