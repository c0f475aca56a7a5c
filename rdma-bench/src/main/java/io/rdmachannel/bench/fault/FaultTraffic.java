// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.fault;

import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.RdmaChannel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** The messages of one end of one channel: numbered, with checksums, paced; checked and counted when they arrive. */
final class FaultTraffic implements ChannelHandler {
    private static final int HEAD_BYTES = 16;
    private static final int SHORT_MAX = 2_000;
    private static final int LONG_MAX = 30_000;
    private static final int LONG_EVERY = 50;
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long FINISH_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final long paceNanos;
    private final MemorySegment memory = Arena.ofAuto().allocate(LONG_MAX + HEAD_BYTES);
    private final SplittableRandom random = new SplittableRandom();
    private int session;
    private RdmaChannel channel;
    private long sent;
    private long delivered;
    private long unknown;
    private long received;
    private long expected;
    private long lost;
    private long duplicated;
    private long damaged;
    private long lastSend;
    private long lastReport;
    private long reported;
    private long lastArrival = System.nanoTime();
    private long interrupted;
    private long silence;
    private long reopened;

    FaultTraffic(int session, int paceMillis) {
        this.session = session;
        this.paceNanos = TimeUnit.MILLISECONDS.toNanos(paceMillis);
    }

    void session(int number) {
        session = number;
    }

    void begin(RdmaChannel opened) {
        channel = opened;
        lastArrival = System.nanoTime();
        say("session begins", "transport=" + opened.transport());
    }

    boolean isOver() {
        return channel.state().isOver();
    }

    /** Sends the next message when it is time, and there is room. */
    void step() {
        long now = System.nanoTime();
        if (now - lastReport >= REPORT_NANOS) {
            report(now);
        }
        if (now - lastSend < paceNanos) {
            return;
        }
        int length = HEAD_BYTES + random.nextInt(sent % LONG_EVERY == 0 ? LONG_MAX : SHORT_MAX);
        memory.set(ValueLayout.JAVA_LONG, HEAD_BYTES + 8L * random.nextInt(SHORT_MAX / 8), random.nextLong());
        memory.set(ValueLayout.JAVA_LONG, 0, sent);
        memory.set(ValueLayout.JAVA_LONG, 8, checksum(memory, HEAD_BYTES, length - (long) HEAD_BYTES));
        if (channel.send(memory, 0, length, sent).isAccepted()) {
            sent++;
            lastSend = now;
        }
    }

    /** Sends nothing any more; polls until everything has come to its end, and a while longer for the peer. */
    void finish(Poller poller) {
        long begin = System.nanoTime();
        while (!isOver()
                && System.nanoTime() - begin < FINISH_NANOS
                && (delivered + unknown < sent || System.nanoTime() - Math.max(lastArrival, begin) < QUIET_NANOS)) {
            poller.poll(Duration.ofMillis(1));
        }
    }

    /** Tells what has become of it, and closes. */
    void end() {
        String failure = channel.failure()
                .map(cause -> cause.reason() + " " + cause.getMessage())
                .orElse("none");
        say(
                "session ends",
                "sent=" + sent + " delivered=" + delivered + " undelivered=" + (sent - delivered) + " received="
                        + received + " lost=" + lost + " duplicated=" + duplicated + " damaged=" + damaged
                        + " state=" + channel.state() + " failure=" + failure);
        channel.close();
    }

    @Override
    public void onMessage(RdmaChannel of, MemorySegment buffer, long offset, long length) {
        long number = buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        long sum = buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8);
        damaged += checksum(buffer, offset + HEAD_BYTES, length - HEAD_BYTES) == sum ? 0 : 1;
        duplicated += number < expected ? 1 : 0;
        lost += Math.max(0, number - expected);
        expected = Math.max(expected, number + 1);
        received++;
        lastArrival = System.nanoTime();
        if (reopened != 0) {
            say(
                    "recovered",
                    "silence_ms=" + millis(silence) + " reconnect_ms=" + millis(reopened - interrupted)
                            + " until_message_ms=" + millis(lastArrival - interrupted) + " transport="
                            + of.transport());
            reopened = 0;
        }
    }

    @Override
    public void onCompletion(RdmaChannel of, long token, Outcome outcome) {
        delivered += outcome == Outcome.SUCCESS ? 1 : 0;
        unknown += outcome == Outcome.SUCCESS ? 0 : 1;
    }

    @Override
    public void onStateChange(RdmaChannel of, ChannelState before, ChannelState now) {
        long time = System.nanoTime();
        say("state", "from=" + before + " to=" + now + " silence_ms=" + millis(time - lastArrival));
        if (now == ChannelState.RECOVERING) {
            interrupted = time;
            silence = time - lastArrival;
            reopened = 0;
        } else if (before == ChannelState.RECOVERING && now.isOpen()) {
            reopened = time;
        }
    }

    private void report(long now) {
        say(
                "alive",
                "sent=" + sent + " received=" + received + " fresh=" + (received - reported) + " transport="
                        + channel.transport() + " state=" + channel.state() + " lost=" + lost + " duplicated="
                        + duplicated + " damaged=" + damaged);
        reported = received;
        lastReport = now;
    }

    private void say(String what, String values) {
        System.out.println(System.currentTimeMillis() + " session=" + session + " " + what + " " + values);
        System.out.flush();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private static long checksum(MemorySegment memory, long offset, long length) {
        CRC32C sum = new CRC32C();
        sum.update(memory.asSlice(offset, length).asByteBuffer());
        return sum.getValue();
    }
}
