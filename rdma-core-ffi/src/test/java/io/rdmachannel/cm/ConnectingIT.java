// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmachannel.cm.Ends.Peer;
import io.rdmachannel.ffi.generated.libc.libc;
import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectionManagerTest;
import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.Shell;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.VerbsException;
import io.rdmachannel.verbs.WorkCompletionStatus;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ConnectionManagerTest
class ConnectingIT {
    private Ends ends;

    @BeforeEach
    void open() {
        ends = new Ends();
    }

    @AfterEach
    void close() {
        ends.close();
    }

    @Test
    void shouldCarryMessagesAndPrivateDataBothWaysOverIpv4() {
        connectAndExchange(LocalAddresses.ipv4(0));
    }

    @Test
    void shouldCarryMessagesAndPrivateDataBothWaysOverIpv6() {
        connectAndExchange(LocalAddresses.ipv6(0));
    }

    @Test
    void shouldConnectToALinkLocalAddressByItsScope() {
        connectAndExchange(LocalAddresses.linkLocal(0));
    }

    @Test
    void shouldTellTheServerWhatTheClientAskedFor() {
        ConnectionId listener = ends.listen();
        ConnectionId client = ends.resolve(listener.localAddress().orElseThrow());
        ConnectionParameters asked = ConnectionParameters.ofQueuePair(
                        ends.queuePair(client).number())
                .withOutstandingReads(3, 5)
                .withRetries(4, 2);
        client.connect(asked);

        ConnectionEvent request = Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST);
        ConnectionParameters told = request.parameters().orElseThrow();

        assertThat(request.listener()).contains(listener);
        assertThat(told.queuePairNumber()).isEqualTo(asked.queuePairNumber());
        assertThat(told.responderResources()).isEqualTo(5);
        assertThat(told.initiatorDepth()).isEqualTo(3);
        assertThat(told.retryCount()).isEqualTo(4);
        assertThat(told.rnrRetryCount()).isEqualTo(2);
    }

    @Test
    void shouldKnowAddressesPortsAndDeviceOfBothEnds() {
        ConnectionId listener = ends.listen();
        Peer client = ends.request(listener);
        ConnectionId server = Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST)
                .id();

        assertThat(client.id().remoteAddress()).isEqualTo(listener.localAddress());
        assertThat(client.id().remotePort()).isEqualTo(listener.localPort()).isPositive();
        assertThat(server.localPort()).isEqualTo(listener.localPort());
        assertThat(server.remoteAddress()).isEqualTo(client.id().localAddress());
        assertThat(List.of(client.id(), server))
                .allSatisfy(
                        id -> assertThat(id.device()).contains(RdmaDevice.find().device()))
                .allSatisfy(id ->
                        assertThat(id.devicePort()).isEqualTo(RdmaDevice.find().port()));
    }

    @Test
    void shouldTellTheClientThatItIsRejectedAndWhy() {
        ConnectionId listener = ends.listen();
        ends.request(listener);
        ConnectionEvent request = Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST);
        request.id().reject(new byte[] {4, 5, 6});

        ConnectionEvent rejection = Ends.next(ends.clientEvents());

        assertThat(rejection.type()).isEqualTo(ConnectionEventType.REJECTED);
        assertThat(rejection.status()).isEqualTo(28);
        assertThat(Arrays.copyOf(rejection.privateData(), 3)).containsExactly(4, 5, 6);
        assertRefused(rejection, libc.ECONNREFUSED());
    }

    @Test
    void shouldTellTheClientThatNobodyListens() {
        ConnectionId listener = ends.listen();
        InetSocketAddress address = listener.localAddress().orElseThrow();
        listener.close();
        ConnectionId client = ends.resolve(address);
        client.connect(ConnectionParameters.ofQueuePair(ends.queuePair(client).number()));

        ConnectionEvent rejection = Ends.next(ends.clientEvents());

        assertThat(rejection.type()).isEqualTo(ConnectionEventType.REJECTED);
        assertThat(rejection.toString()).contains("nobody listens there");
        assertRefused(rejection, libc.ECONNREFUSED());
    }

    @Test
    void shouldGiveUpAtOnceWhenNobodyAnswers() {
        ConnectionId client = ends.clientEvents().createId(PortSpace.TCP);
        client.resolveAddress(null, neighbour(), 500, TimeUnit.MILLISECONDS);
        ConnectionEvent answer = Ends.next(ends.clientEvents());
        if (answer.type() == ConnectionEventType.ADDRESS_ERROR) {
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> answer.require(ConnectionEventType.ADDRESS_RESOLVED))
                    .satisfies(refused -> assertThat(refused.errno()).isIn(libc.ETIMEDOUT(), libc.EHOSTUNREACH()));
            return;
        }
        client.resolveRoute(1, TimeUnit.SECONDS);
        Ends.next(ends.clientEvents(), ConnectionEventType.ROUTE_RESOLVED);
        client.connect(ConnectionParameters.ofQueuePair(ends.queuePair(client).number()));
        assertThat(ends.clientEvents().await(200, TimeUnit.MILLISECONDS)).isNull();

        long start = System.nanoTime();
        client.close();

        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
    }

    @Test
    void shouldTellThatThereIsNoWayToAnAddress() {
        ConnectionId client = ends.clientEvents().createId(PortSpace.TCP);
        InetSocketAddress nowhere = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 7174);
        assumeTrue(Shell.run("ip", "-4", "route", "show", "default").isBlank(), "skipped: there is a default route");

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> {
                    client.resolveAddress(null, nowhere, 1, TimeUnit.SECONDS);
                    Ends.next(ends.clientEvents(), ConnectionEventType.ADDRESS_RESOLVED);
                })
                .satisfies(refused -> assertThat(refused.errno()).isIn(libc.ENETUNREACH(), libc.ENODEV()));
    }

    @Test
    void shouldRefuseAPortThatIsTaken() {
        ConnectionId listener = ends.listen();
        InetSocketAddress taken = listener.localAddress().orElseThrow();

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> ends.listen(taken))
                .withMessageContainingAll("rdma_", "EADDRINUSE", "take another port")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(libc.EADDRINUSE()));
    }

    @Test
    void shouldRefuseAnAddressThatThisHostDoesNotHave() {
        ConnectionId id = ends.serverEvents().createId(PortSpace.TCP);

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> id.bindAddress(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0)))
                .satisfies(refused -> assertThat(refused.errno()).isIn(libc.ENODEV(), libc.EADDRNOTAVAIL()));
    }

    @Test
    void shouldTellBothEndsThatTheConnectionHasEnded() {
        ConnectionId listener = ends.listen();
        Peer client = ends.request(listener);
        Peer server = ends.accept(Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST));
        establish(client);

        client.id().disconnect();

        Ends.next(ends.serverEvents(), ConnectionEventType.DISCONNECTED);
        server.id().disconnect();
        Ends.next(ends.clientEvents(), ConnectionEventType.DISCONNECTED);
    }

    @Test
    void shouldTellTheServerWhenTheClientClosesAnEstablishedConnection() {
        ConnectionId listener = ends.listen();
        Peer client = ends.request(listener);
        ends.accept(Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST));
        establish(client);

        client.id().close();

        Ends.next(ends.serverEvents(), ConnectionEventType.DISCONNECTED);
    }

    @Test
    void shouldLookUpTheQueuePairOfADatagramService() {
        ConnectionId listener = ends.serverEvents().createId(PortSpace.UDP);
        listener.bindAddress(LocalAddresses.ipv4(0).orElseThrow());
        listener.listen(1);
        ConnectionId client = ends.clientEvents().createId(PortSpace.UDP);
        client.resolveAddress(null, listener.localAddress().orElseThrow(), 10, TimeUnit.SECONDS);
        Ends.next(ends.clientEvents(), ConnectionEventType.ADDRESS_RESOLVED);
        client.resolveRoute(10, TimeUnit.SECONDS);
        Ends.next(ends.clientEvents(), ConnectionEventType.ROUTE_RESOLVED);
        client.connect(ConnectionParameters.ofQueuePair(0).withPrivateData(new byte[] {1, 2}));

        ConnectionEvent request = Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST);
        assertThat(request.privateData()).startsWith(1, 2);
        assertThat(request.parameters()).isEmpty();
        request.id().accept(ConnectionParameters.ofQueuePair(0x1234).withPrivateData(new byte[] {3}));

        ConnectionEvent answer = Ends.next(ends.clientEvents(), ConnectionEventType.ESTABLISHED);
        assertThat(answer.privateData()).startsWith(3);
        assertThat(answer.datagramPeer()).hasValueSatisfying(peer -> {
            assertThat(peer.queuePairNumber()).isEqualTo(0x1234);
            assertThat(peer.address().port()).isEqualTo(client.devicePort());
        });
    }

    @Test
    void shouldRefuseStatesThatAreNotNegotiatedYet() {
        ConnectionId client = ends.resolve(ends.listen().localAddress().orElseThrow());

        for (QueuePairState target : List.of(QueuePairState.READY_TO_RECEIVE, QueuePairState.READY_TO_SEND)) {
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> client.queuePairChange(target))
                    .withMessageContainingAll("rdma_init_qp_attr", target.name());
        }
    }

    @Test
    void shouldRefuseMoreOutstandingReadsThanTheDeviceCanDo() {
        ConnectionId client = ends.resolve(ends.listen().localAddress().orElseThrow());

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(
                        () -> client.connect(ConnectionParameters.ofQueuePair(1).withOutstandingReads(254, 254)))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(libc.EINVAL()));
    }

    private void connectAndExchange(Optional<InetSocketAddress> local) {
        assumeTrue(local.isPresent(), "skipped: the device has no such address");
        ConnectionId listener = ends.listen(local.get());
        Peer client = ends.request(listener, (byte) 1, (byte) 2);
        ConnectionEvent request = Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST);
        assertThat(request.privateData()).startsWith(1, 2).hasSizeGreaterThanOrEqualTo(2);
        Peer server = ends.accept(request, (byte) 3, (byte) 4);
        ConnectionEvent response = establish(client);
        assertThat(response.privateData()).startsWith(3, 4);
        assertThat(response.parameters().orElseThrow().queuePairNumber())
                .isEqualTo(server.queuePair().number());
        sendAndReceive(client, server);
        sendAndReceive(server, client);
    }

    private ConnectionEvent establish(Peer client) {
        ConnectionEvent response = Ends.next(ends.clientEvents(), ConnectionEventType.CONNECT_RESPONSE);
        client.makeReady();
        client.id().establish();
        Ends.next(ends.serverEvents(), ConnectionEventType.ESTABLISHED);
        return response;
    }

    private void sendAndReceive(Peer from, Peer to) {
        try (MemoryRegion target =
                ends.domain().registerMemory(Arena.ofAuto().allocate(64), Set.of(AccessFlag.LOCAL_WRITE))) {
            to.queuePair()
                    .postReceive(ReceiveWorkRequests.allocate(1, 1).begin(0, 1).add(0, target, 0, 64), 0);
            MemorySegment message = MemorySegment.ofArray(new byte[] {7, 8, 9});
            from.queuePair()
                    .postSend(
                            SendWorkRequests.allocate(1, 1, 64)
                                    .begin(0, WorkRequestOpcode.SEND, 2, true)
                                    .inline(0, message, 0, 3),
                            0);

            assertThat(Completion.await(ends.completions(), 2))
                    .allSatisfy(done -> assertThat(done.status()).isEqualTo(WorkCompletionStatus.SUCCESS));
            assertThat(target.memory().asSlice(0, 3).toArray(ValueLayout.JAVA_BYTE))
                    .containsExactly(7, 8, 9);
        }
    }

    /** An address beside the device's own that nobody in the lab has. */
    private static InetSocketAddress neighbour() {
        byte[] bytes = LocalAddresses.ipv4(0).orElseThrow().getAddress().getAddress();
        bytes[3] = (byte) (bytes[3] ^ 0x7E);
        return new InetSocketAddress(
                InetAddress.ofLiteral(
                        "%d.%d.%d.%d".formatted(bytes[0] & 0xFF, bytes[1] & 0xFF, bytes[2] & 0xFF, bytes[3] & 0xFF)),
                7174);
    }

    private static void assertRefused(ConnectionEvent event, int errno) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> event.require(ConnectionEventType.CONNECT_RESPONSE))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(errno));
    }
}
