// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.mempool.PoolInUseException;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackTest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handshakes in which a call of the verbs library fails, for each call that there is: where RDMA is required the reason
 * is told, else the channel goes over TCP and tells it; and nothing of RDMA is left, which {@link LoopbackTest} checks.
 */
@LoopbackTest
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class LoopbackHandshakeTest {
    private static final int CALLS = 8;

    private Poller leftPoller;
    private Poller rightPoller;
    private RdmaListener listener;
    /** A channel that nobody accepts would be closed with the listener, and linger. */
    private CompletableFuture<RdmaChannel> accepted;

    @BeforeEach
    void makePollers() {
        leftPoller = Poller.create(PollerConfig.of("left").withPool(2L << 20, 64L << 20));
        rightPoller = Poller.create(PollerConfig.of("right").withPool(2L << 20, 64L << 20));
    }

    @AfterEach
    void shouldLeaveNothing() {
        LoopbackFaults.reset();
        listener.close();
        accepted.cancel(true);
        closeAfterHandshakes(leftPoller);
        closeAfterHandshakes(rightPoller);
    }

    /** The connecting end opens its device first. A queue pair is asked for ten times, with less each time. */
    @ParameterizedTest
    @CsvSource({
        "ibv_get_device_list, 0, 1",
        "ibv_open_device, 0, 2",
        "ibv_query_device, 0, 100",
        "ibv_query_port, 0, 100",
        "ibv_query_gid_ex, 0, 100",
        "ibv_alloc_pd, 0, 1",
        "ibv_reg_mr, 0, 1",
        "ibv_create_comp_channel, 0, 1",
        "ibv_create_cq, 0, 1",
        "ibv_create_qp, 0, 10",
        "ibv_modify_qp, 0, 1",
        "ibv_post_recv, 0, 1",
        "ibv_modify_qp, 2, 1",
        "ibv_modify_qp, 3, 1",
        "ibv_modify_qp, 4, 1",
        "ibv_modify_qp, 5, 1"
    })
    void shouldGoOverTcpAndTellWhyWhenACallFails(String function, int skip, int count) throws Exception {
        LoopbackFaults.failCalls(function, skip, count, LoopbackFaults.EIO);

        RdmaChannel channel = connect(Transport.AUTO).get();

        assertThat(channel.transport()).isEqualTo(Transport.TCP);
        assertThat(channel.fallbackReason())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("EIO")
                        .satisfiesAnyOf(
                                text -> assertThat(text).contains(function),
                                text -> assertThat(text).contains("receives of", "were refused")));
        awaitNoQueuePair();
    }

    @ParameterizedTest
    @CsvSource({
        "ibv_open_device, 0, 2",
        "ibv_alloc_pd, 0, 1",
        "ibv_reg_mr, 0, 1",
        "ibv_reg_mr, 1, 1",
        "ibv_create_cq, 0, 1",
        "ibv_create_cq, 1, 1",
        "ibv_create_qp, 0, 10",
        "ibv_create_qp, 1, 10",
        "ibv_modify_qp, 0, 1",
        "ibv_modify_qp, 1, 1",
        "ibv_modify_qp, 2, 1",
        "ibv_modify_qp, 3, 1",
        "ibv_modify_qp, 4, 1",
        "ibv_modify_qp, 5, 1"
    })
    void shouldTellWhyWhenACallFailsAndRdmaIsRequired(String function, int skip, int count) {
        LoopbackFaults.failCalls(function, skip, count, LoopbackFaults.ENOMEM);

        CompletableFuture<RdmaChannel> connected = connect(Transport.RDMA);

        assertThatThrownBy(connected::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ChannelException.class,
                        failure -> assertThat(failure.reason()).isIn(Reason.UNAVAILABLE, Reason.REFUSED))
                .hasMessageContaining(function)
                .hasMessageContaining("ENOMEM");
        awaitNoQueuePair();
    }

    /** After one failure it goes over RDMA nevertheless, or over TCP; it must not fail, and not leak. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ibv_get_device_list",
                "ibv_open_device",
                "ibv_query_device",
                "ibv_query_port",
                "ibv_query_gid_ex",
                "ibv_reg_mr",
                "ibv_create_cq",
                "ibv_create_qp",
                "ibv_modify_qp",
                "ibv_post_recv",
                "ibv_req_notify_cq"
            })
    void shouldConnectWhicheverSingleCallFails(String function) throws Exception {
        for (int skip = 0; skip < CALLS; skip++) {
            LoopbackFaults.failCalls(function, skip, 1, LoopbackFaults.EIO);

            RdmaChannel channel = connect(Transport.AUTO).get();

            assertThat(channel.transport()).as("%s %d", function, skip).isNotNull();
            shouldLeaveNothing();
            assertThat(LoopbackFaults.live())
                    .as("%s %d", function, skip)
                    .allSatisfy((kind, count) -> assertThat(count).isZero());
            makePollers();
        }
    }

    /** The other end of a handshake that has failed may still be about to notice, with buffers in its hands. */
    private static void closeAfterHandshakes(Poller poller) {
        Deadline.usual().await("the end of all handshakes", () -> {
            try {
                poller.close();
                return true;
            } catch (PoolInUseException later) {
                return false;
            } catch (ChannelException later) {
                assertThat(later.reason()).isEqualTo(Reason.BUSY);
                return false;
            }
        });
    }

    private static void awaitNoQueuePair() {
        Deadline.usual()
                .await("the end of all queue pairs", () -> LoopbackFaults.live().get("qps") == 0);
    }

    private CompletableFuture<RdmaChannel> connect(Transport transport) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelConfigBuilder config = ChannelConfig.builder().transport(transport);
        listener = RdmaListener.bind(any, config.poller(rightPoller).build(), Recorder::new);
        accepted = listener.acceptAsync().toCompletableFuture();
        CompletableFuture<RdmaChannel> connected = RdmaChannel.connectAsync(
                        listener.address(), config.poller(leftPoller).build(), new Recorder())
                .toCompletableFuture();
        Deadline deadline = Deadline.usual();
        while (!connected.isDone() && !deadline.isOver()) {
            leftPoller.poll();
            rightPoller.poll();
            deadline.pause();
        }
        assertThat(connected).isDone();
        return connected;
    }
}
