// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.examples.support.ChildJvm;
import io.rdmachannel.examples.support.Wait;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class OrdersTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void shouldAnswerEveryOrderOfManyClients() throws InterruptedException {
        OrderRun run = new OrderRun(5_050, 32, LIMIT);
        try (Gateway gateway = gateway(tcp())) {
            OrderReport report = OrderClients.run(gateway.address(), OrdersTest::tcp, CompletionMode.ADAPTIVE, run, 3);
            gateway.serve(3, LIMIT);
            assertThat(report.wrong()).isZero();
            assertThat(report.acknowledged()).isEqualTo(15_000);
            assertThat(report.rejected()).isEqualTo(150);
            assertThat(report.latencies().count()).isEqualTo(15_150);
            assertThat(gateway.accepted()).isEqualTo(15_000);
            assertThat(gateway.rejected()).isEqualTo(150);
        }
    }

    @Test
    void shouldLoseNothingWhenThereIsLessCreditThanTheWindow() throws InterruptedException {
        OrderRun run = new OrderRun(3_000, 64, LIMIT);
        try (Gateway gateway = gateway(tcp().receiveDepth(8).sendDepth(8))) {
            OrderReport report =
                    OrderClients.run(gateway.address(), () -> tcp().receiveDepth(8), CompletionMode.EVENT, run, 2);
            gateway.serve(2, LIMIT);
            assertThat(report.wrong()).isZero();
            assertThat(report.acknowledged() + report.rejected()).isEqualTo(6_000);
            assertThat(report.retriesAfter(Submission.NO_CREDIT)).isPositive();
            assertThat(gateway.accepted()).isEqualTo(5_940);
        }
    }

    @Test
    void shouldLoseNothingWhenTheClientsQueueIsShorterThanTheWindow() throws InterruptedException {
        OrderRun run = new OrderRun(3_000, 64, LIMIT);
        try (Gateway gateway = gateway(tcp())) {
            OrderReport report =
                    OrderClients.run(gateway.address(), () -> tcp().sendDepth(8), CompletionMode.BUSY_POLL, run, 1);
            gateway.serve(1, LIMIT);
            assertThat(report.wrong()).isZero();
            assertThat(report.acknowledged()).isEqualTo(2_970);
            assertThat(report.retriesAfter(Submission.QUEUE_FULL)).isPositive();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAnOrder() throws InterruptedException {
        List<Verdict> verdicts = new ArrayList<>();
        try (Gateway gateway = gateway(tcp());
                Poller poller = Poller.create(PollerConfig.of("test"));
                RdmaChannel channel = RdmaChannel.connect(
                        gateway.address(),
                        tcp().poller(poller).build(),
                        (from, buffer, offset, length) -> verdicts.add(AnswerLayout.verdict(buffer, offset)))) {
            send(channel, 7, 1, 1, 100, 10);
            send(channel, 8, 2, 1, 100, 10);
            send(channel, 7, 3, 1, 100, 10);
            send(channel, 7, 2, 3, 100, 10);
            send(channel, 7, 3, 2, 0, 10);
            send(channel, 7, 4, 2, 100, -1);
            send(channel, 7, 5, 2, 100, 1_000_001);
            send(channel, 7, 6, 2, 100, 1_000_000);
            Wait.until(poller, LIMIT, "the answers", () -> verdicts.size() == 8);
        }
        assertThat(verdicts)
                .containsExactly(
                        Verdict.ACKNOWLEDGED,
                        Verdict.WRONG_CLIENT,
                        Verdict.OUT_OF_SEQUENCE,
                        Verdict.BAD_SIDE,
                        Verdict.BAD_PRICE,
                        Verdict.BAD_QUANTITY,
                        Verdict.BAD_QUANTITY,
                        Verdict.ACKNOWLEDGED);
    }

    @Test
    void shouldEndOnlyTheChannelOfAClientThatSendsNoOrder() throws InterruptedException {
        OrderRun run = new OrderRun(100, 8, LIMIT);
        try (Gateway gateway = gateway(tcp());
                Poller poller = Poller.create(PollerConfig.of("test"))) {
            RdmaChannel channel = RdmaChannel.connect(
                    gateway.address(), tcp().poller(poller).build(), (from, buffer, offset, length) -> {});
            channel.send(MemorySegment.ofArray(new byte[5]), 0, 5);
            Wait.until(poller, LIMIT, "the end", () -> channel.state().isOver());
            assertThat(channel.failure().map(ChannelException::reason)).contains(ChannelException.Reason.PEER_GONE);
            channel.close();
            OrderReport report = OrderClients.run(gateway.address(), OrdersTest::tcp, CompletionMode.ADAPTIVE, run, 1);
            assertThat(report.acknowledged()).isEqualTo(99);
            gateway.serve(2, LIMIT);
        }
    }

    @Test
    void shouldFailAClientWhoseGatewayIsNotThere() {
        OrderRun run = new OrderRun(100, 8, LIMIT);
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> OrderClients.run(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                        () -> tcp().connectTimeout(second).handshakeTimeout(second),
                        CompletionMode.ADAPTIVE,
                        run,
                        1))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("no connection");
    }

    @Test
    void shouldRunInProcessesOfTheirOwn() throws InterruptedException {
        try (ChildJvm gateway =
                        ChildJvm.start(Orders.class, "gateway", "--transport", "tcp", "--port", "0", "--clients", "2");
                ChildJvm client = ChildJvm.start(
                        Orders.class,
                        "client",
                        "--transport",
                        "tcp",
                        "--clients",
                        "2",
                        "--orders",
                        "1000",
                        "127.0.0.1:" + gateway.port())) {
            assertThat(client.status()).as(client.output()).isZero();
            assertThat(gateway.status()).as(gateway.output()).isZero();
            assertThat(client.output()).contains("orders 1980 acknowledged, 20 rejected");
            assertThat(gateway.output()).contains("orders 1980 acknowledged, 20 rejected");
        }
    }

    private static void send(RdmaChannel channel, int client, long sequence, int side, long price, long quantity) {
        MemorySegment order = MemorySegment.ofArray(new byte[OrderLayout.BYTES]);
        OrderLayout.put(order, client, sequence, Side.BUY, price, quantity);
        order.set(ValueLayout.JAVA_BYTE, 4, (byte) side);
        assertThat(channel.send(order, 0, OrderLayout.BYTES)).isEqualTo(Submission.ACCEPTED);
    }

    private static ChannelConfigBuilder tcp() {
        return ChannelConfig.builder().transport(Transport.TCP);
    }

    private static Gateway gateway(ChannelConfigBuilder config) {
        return Gateway.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), config, CompletionMode.ADAPTIVE);
    }
}
