// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.PoolInUseException;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call of the verbs library with which a connection is set up, on either side, fails once: there is a channel
 * that works, over RDMA or TCP, and nothing is left, which {@link LoopbackTest} checks. {@code ibv_close_device} is
 * no such call: a device that cannot be closed after it was looked at stays open.
 */
@LoopbackTest
@Timeout(value = 120, threadMode = ThreadMode.SAME_THREAD)
class LoopbackHandshakeCallsTest {
    /** Of calls that are made hundreds of times. */
    private static final int TIMES_MAX = 20;

    private static final Duration SLEEP = Duration.ofMillis(1);

    private static final List<String> OF_BOTH = List.of(
            "ibv_get_device_list",
            "ibv_open_device",
            "ibv_query_device",
            "ibv_query_port",
            "ibv_query_gid_ex",
            "ibv_alloc_pd",
            "ibv_reg_mr",
            "ibv_create_comp_channel",
            "ibv_create_cq",
            "ibv_req_notify_cq",
            "ibv_create_qp",
            "ibv_modify_qp");
    private static final List<String> OF_OWN_RECEIVES = List.of("ibv_post_recv");
    private static final List<String> OF_SHARED_RECEIVES = List.of("ibv_create_srq", "ibv_post_srq_recv");
    private static final List<String> CALLED_LATER = List.of("ibv_post_recv", "ibv_post_srq_recv", "ibv_req_notify_cq");
    /** What else there is, and is not called. */
    private static final List<String> OTHERS = List.of(
            "ibv_query_gid",
            "ibv_query_gid_table",
            "ibv_query_pkey",
            "ibv_get_async_event",
            "ibv_ack_async_event",
            "ibv_fork_init",
            "ibv_is_fork_initialized",
            "ibv_resize_cq",
            "ibv_modify_srq",
            "ibv_query_srq",
            "ibv_query_qp",
            "ibv_create_ah",
            "ibv_alloc_mw");

    private final MemorySegment memory = Arena.ofAuto().allocate(64);
    private Poller left;
    private Poller right;

    static Stream<Arguments> calls() {
        Stream<Arguments> own =
                Stream.concat(OF_BOTH.stream(), OF_OWN_RECEIVES.stream()).map(name -> Arguments.of(name, false));
        Stream<Arguments> shared =
                Stream.concat(OF_BOTH.stream(), OF_SHARED_RECEIVES.stream()).map(name -> Arguments.of(name, true));
        return Stream.concat(own, shared);
    }

    @ParameterizedTest(name = "{0}, sharing receives: {1}")
    @MethodSource("calls")
    void shouldConnectWhicheverCallFailsOnce(String function, boolean sharing) throws Exception {
        boolean failed = true;
        int skip = 0;
        while (failed && skip < TIMES_MAX) {
            long before = LoopbackFaults.calls(function);
            LoopbackFaults.failCalls(function, skip, 1, LoopbackFaults.ENOMEM);
            boolean works = connectAndExchange(sharing);
            // Receives are posted again, and notifications asked for, when the set-up is over.
            assertThat(works || CALLED_LATER.contains(function))
                    .as("%s, %d", function, skip)
                    .isTrue();
            failed = LoopbackFaults.calls(function) - before > skip;
            LoopbackFaults.reset();
            close();
            assertThat(LoopbackFaults.live())
                    .as("after %s, %d", function, skip)
                    .allSatisfy((kind, count) -> assertThat(count).isZero());
            skip++;
        }
        assertThat(skip).as("how often %s was called", function).isGreaterThan(1);
    }

    /** Whoever adds a call to the set-up is told here to let it fail above. */
    @Test
    void shouldKnowEveryCallOfTheSetUp() throws Exception {
        for (boolean sharing : new boolean[] {false, true}) {
            Map<String, Long> before = count(OTHERS);
            connectAndExchange(sharing);
            assertThat(count(OTHERS)).isEqualTo(before);
            close();
        }
        assertThat(count(OF_BOTH)).allSatisfy((name, times) -> assertThat(times).isPositive());
        assertThat(count(OF_OWN_RECEIVES))
                .allSatisfy((name, times) -> assertThat(times).isPositive());
        assertThat(count(OF_SHARED_RECEIVES))
                .allSatisfy((name, times) -> assertThat(times).isPositive());
    }

    private static Map<String, Long> count(List<String> functions) {
        return functions.stream()
                .collect(Collectors.toMap(name -> name, LoopbackFaults::calls, Long::sum, TreeMap::new));
    }

    /** Says whether a message got through. */
    private boolean connectAndExchange(boolean sharing) throws Exception {
        left = Poller.create(poller("left", sharing));
        right = Poller.create(poller("right", sharing));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelConfigBuilder config = ChannelConfig.builder().transport(Transport.AUTO);
        Recorder atRight = new Recorder();
        try (RdmaListener listener = RdmaListener.bind(any, config.poller(right).build(), () -> atRight)) {
            CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
            CompletableFuture<RdmaChannel> connected = RdmaChannel.connectAsync(
                            listener.address(), config.poller(left).build(), new Recorder())
                    .toCompletableFuture();
            pollUntil("both are connected", () -> connected.isDone() && accepted.isDone());
            RdmaChannel channel = connected.get();
            channel.send(memory, 0, 64);
            pollUntil(
                    "the message is there, or the channel has failed",
                    () -> atRight.messages.size() == 1 || channel.state().isOver());
            return atRight.messages.size() == 1;
        }
    }

    private void close() {
        for (Poller poller : List.of(left, right)) {
            Deadline.usual().await("the end of all handshakes", () -> {
                try {
                    poller.close();
                    return true;
                } catch (PoolInUseException later) {
                    return false;
                } catch (ChannelException later) {
                    assertThat(later.reason()).isEqualTo(ChannelException.Reason.BUSY);
                    return false;
                }
            });
        }
    }

    private void pollUntil(String what, BooleanSupplier condition) {
        Deadline.usual().await(what, () -> {
            left.poll(SLEEP);
            right.poll(SLEEP);
            return condition.getAsBoolean();
        });
    }

    private static PollerConfig poller(String name, boolean sharing) {
        PollerConfig config =
                PollerConfig.of(name).withMode(CompletionMode.EVENT).withPool(2L << 20, 64L << 20);
        return sharing ? config.withSharedReceives(new SharedReceives(8, 80, 1024)) : config;
    }
}
