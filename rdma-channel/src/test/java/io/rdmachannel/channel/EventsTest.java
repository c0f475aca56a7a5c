// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What channels tell the Flight Recorder; over TCP, on any machine. */
@Timeout(60)
class EventsTest extends ContractPair {
    private final ChannelConfigBuilder left = ChannelConfig.builder().transport(Transport.TCP);

    @Override
    ChannelPair.Setup setup() {
        ChannelConfigBuilder right = ChannelConfig.builder().transport(Transport.TCP);
        return new ChannelPair.Setup(InetAddress.getLoopbackAddress(), CompletionMode.BUSY_POLL, left, right);
    }

    @Test
    void shouldRecordBothSidesOfAConnection() throws Exception {
        try (Flight flight = new Flight("Connect")) {
            pair = open();
            List<RecordedEvent> events = flight.of("Connect");
            assertThat(events).extracting(event -> event.getString("side")).containsExactly("CONNECTING", "ACCEPTING");
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getString("transport")).isEqualTo("TCP");
                assertThat(event.getString("method")).isEqualTo("TCP_EXCHANGE");
                assertThat(event.getString("outcome")).isEqualTo("CONNECTED");
                assertThat(event.getString("failure")).isNull();
                assertThat(event.getDuration()).isPositive();
            });
            assertThat(events.getFirst().getString("peer"))
                    .endsWith(":" + pair.listener.address().getPort());
            assertThat(events.getFirst().getInt("attempts")).isEqualTo(1);
        }
    }

    @Test
    void shouldRecordAConnectionThatIsNotToBeHad() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        ChannelConfig impatient = left.handshakeTimeout(Duration.ofMillis(100))
                .connectTimeout(Duration.ofMillis(100))
                .build();
        try (Flight flight = new Flight("Connect")) {
            assertThatThrownBy(() -> RdmaChannel.connect(nobody, impatient, new Recorder()))
                    .isInstanceOf(ChannelException.class);
            List<RecordedEvent> events = flight.of("Connect");
            assertThat(events).hasSize(1);
            assertThat(events.getFirst().getString("outcome")).isEqualTo("UNREACHABLE");
            assertThat(events.getFirst().getString("failure")).contains("is a listener bound there");
            assertThat(events.getFirst().getString("transport")).isNull();
            assertThat(events.getFirst().getInt("attempts")).isGreaterThan(1);
        }
    }

    @Test
    void shouldRecordEachChangeOfStateWithASessionThatBothSidesShare() throws Exception {
        try (Flight flight = new Flight("StateChange")) {
            pair = open();
            closeBoth();
            List<RecordedEvent> events = flight.of("StateChange");
            assertThat(events)
                    .extracting(event -> event.getString("before") + " " + event.getString("after"))
                    .containsExactlyInAnyOrder(
                            "CONNECTING CONNECTED",
                            "CONNECTING CONNECTED",
                            "CONNECTED CLOSING",
                            "CONNECTED CLOSING",
                            "CLOSING CLOSED",
                            "CLOSING CLOSED");
            assertThat(events).extracting(event -> event.getString("session")).containsOnly(session(events));
            assertThat(session(events)).matches("[0-9a-f]{8}");
            assertThat(events).extracting(event -> event.getString("failure")).containsOnlyNulls();
        }
    }

    @Test
    void shouldRecordWhyAChannelFailed() throws Exception {
        try (Flight flight = new Flight("StateChange")) {
            pair = open();
            pair.rightPoller.close();
            pair.pollLeftUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
            RecordedEvent last = flight.of("StateChange").getLast();
            assertThat(last.getString("after")).isEqualTo("FAILED");
            assertThat(last.getString("failure"))
                    .isEqualTo(pair.left.failure().orElseThrow().getMessage());
        }
    }

    @Test
    void shouldRecordAFallbackWithItsReason() throws Exception {
        left.transport(Transport.AUTO);
        try (Flight flight = new Flight("Fallback")) {
            pair = open();
            List<RecordedEvent> events = flight.of("Fallback");
            assertThat(events).hasSize(1);
            assertThat(events.getFirst().getString("reason"))
                    .isEqualTo(pair.left.fallbackReason().orElseThrow());
        }
    }

    @Test
    void shouldRecordAnExposure() throws Exception {
        try (Flight flight = new Flight("Exposure")) {
            pair = open();
            exposeAtRight("orders", Arena.ofAuto().allocate(4096, 64), ALL);
            List<RecordedEvent> events = flight.of("Exposure");
            assertThat(events).hasSize(1);
            assertThat(events.getFirst().getString("region")).isEqualTo("orders");
            assertThat(events.getFirst().getLong("bytes")).isEqualTo(4096);
            assertThat(events.getFirst().getString("transport")).isEqualTo("TCP");
        }
    }

    @Test
    void shouldRecordCompletionsWithTheirTimeAndTellThemToTheirUserNevertheless() throws Exception {
        try (Flight flight = new Flight("SlowCompletion")) {
            pair = open();
            RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(4096, 64), ALL);
            Lease memory = lease(4096);
            MemorySegment message = Arena.ofAuto().allocate(100);
            assertThat(pair.left.send(message, 0, 100, 1)).isEqualTo(Submission.ACCEPTED);
            assertThat(pair.left.write(memory, 0, region, 0, 500, 2)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("both have ended", () -> atLeft.outcomes.size() == 2);
            assertThat(pair.left.read(region, 0, memory, 0, 600, 3)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("it has ended", () -> atLeft.outcomes.size() == 3);
            assertThat(pair.left.fetchAndAdd(region, 0, 1, memory, 4)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("it has ended", () -> atLeft.outcomes.size() == 4);
            memory.release();

            assertThat(atLeft.outcomes.values()).containsOnly(Outcome.SUCCESS);
            List<RecordedEvent> events = flight.of("SlowCompletion");
            assertThat(events)
                    .extracting(event -> event.getString("kind") + " " + event.getLong("bytes"))
                    .containsExactly("MESSAGE 100", "READ 600", "ATOMIC 8");
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getDuration()).isPositive();
                assertThat(event.getString("outcome")).isEqualTo("SUCCESS");
            });
        }
    }

    @Test
    void shouldWatchTheNextOneWhenTheLastOneWasRefused() throws Exception {
        left.sendDepth(8);
        pair = open();
        OutgoingMessage claim = pair.left.claim(100);
        assertThat(sendSome(pair.left, Arena.ofAuto().allocate(3000), 1, 40)).isEqualTo(9);
        try (Flight flight = new Flight("SlowCompletion")) {
            assertThat(claim.commit(66, 1)).isEqualTo(Submission.QUEUE_FULL);
            pair.pollUntil("all are there", () -> atRight.messages.size() == 8);
            pair.pollUntil("there is room", () -> claim.commit(77, 1).isAccepted());
            pair.pollUntil("it has ended", () -> atLeft.outcomes.size() == 1);
            assertThat(flight.of("SlowCompletion"))
                    .extracting(event -> event.getLong("bytes"))
                    .containsExactly(77L);
        }
    }

    @Test
    void shouldRecordNothingOfCompletionsUnlessAskedTo() throws Exception {
        try (Flight flight = new Flight("Connect")) {
            pair = open();
            send(pair.left, Arena.ofAuto().allocate(100));
            pair.pollUntil("it is there", () -> atRight.messages.size() == 1);
            assertThat(flight.of("SlowCompletion")).isEmpty();
        }
    }

    private static String session(List<RecordedEvent> events) {
        return events.getFirst().getString("session");
    }
}
