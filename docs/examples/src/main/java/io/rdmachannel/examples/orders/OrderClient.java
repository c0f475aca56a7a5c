// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.OutgoingMessage;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Latencies;
import io.rdmachannel.examples.support.Wait;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * Sends a stream of orders with a bounded number outstanding, and checks the answers. One thread, which polls.
 * Orders are written in place, in memory that the adapter sends from.
 */
final class OrderClient implements ChannelHandler {
    /** One order in so many has no quantity. */
    private static final int BAD_SHARE = 100;

    private static final long PRICE = 100_00;

    private final int client;
    private final OrderRun run;
    private final Latencies latencies = new Latencies();
    private final long[] retries = new long[Submission.values().length];
    /** When each order in the window was submitted. */
    private final long[] submitted;

    private final int mask;
    private long sent;
    private long answered;
    private long acknowledged;
    private long rejected;
    private long wrong;
    private OutgoingMessage open;

    private OrderClient(int client, OrderRun run) {
        this.client = client;
        this.run = run;
        int size = Integer.highestOneBit(run.window() * 2 - 1);
        this.mask = size - 1;
        this.submitted = new long[size];
    }

    static OrderReport connectAndRun(InetSocketAddress gateway, ChannelConfig config, int client, OrderRun run)
            throws InterruptedException {
        OrderClient orders = new OrderClient(client, run);
        try (RdmaChannel channel = RdmaChannel.connect(gateway, config, orders)) {
            return orders.run(channel);
        }
    }

    @Override
    public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
        long now = System.nanoTime();
        answered++;
        latencies.record(now - submitted[(int) answered & mask]);
        Verdict expected = isBad(answered) ? Verdict.BAD_QUANTITY : Verdict.ACKNOWLEDGED;
        Verdict verdict = AnswerLayout.verdict(buffer, offset);
        boolean right = length == AnswerLayout.BYTES
                && AnswerLayout.sequence(buffer, offset) == answered
                && AnswerLayout.client(buffer, offset) == client
                && verdict == expected
                && AnswerLayout.number(buffer, offset) > 0 == (verdict == Verdict.ACKNOWLEDGED);
        acknowledged += verdict == Verdict.ACKNOWLEDGED ? 1 : 0;
        rejected += verdict == Verdict.ACKNOWLEDGED ? 0 : 1;
        wrong += right ? 0 : 1;
    }

    private OrderReport run(RdmaChannel channel) {
        long begin = System.nanoTime();
        Wait.until(channel.poller(), run.limit(), "all answers", () -> {
            sendSome(channel);
            requireOpen(channel);
            return answered == run.orders();
        });
        String transport = channel.transport()
                + channel.fallbackReason().map(reason -> ", since " + reason).orElse("");
        return new OrderReport(acknowledged, rejected, wrong, System.nanoTime() - begin, retries, latencies, transport);
    }

    /** Sends until the window is full or the channel says to wait; whoever calls polls then. */
    private void sendSome(RdmaChannel channel) {
        boolean goesOn = true;
        while (goesOn && sent < run.orders() && sent - answered < run.window()) {
            goesOn = sendNext(channel);
        }
    }

    private boolean sendNext(RdmaChannel channel) {
        Submission submission = submit(channel);
        retries[submission.ordinal()]++;
        return switch (submission) {
            case ACCEPTED -> {
                sent++;
                yield true;
            }
            // The gateway is behind; or too much is on its way; or all buffers are. Polling cures each.
            case NO_CREDIT, QUEUE_FULL, POOL_EXHAUSTED, RECOVERING -> false;
            // Said by requireOpen.
            case NOT_OPEN -> false;
            case REGION_REVOKED -> throw new AssertionError("only operations on regions get this");
        };
    }

    private void requireOpen(RdmaChannel channel) {
        if (!channel.state().isOpen()) {
            throw new ExampleException("the channel ended after " + answered + " of " + run.orders() + " answers"
                    + channel.failure()
                            .map(failure -> ": " + failure.getMessage())
                            .orElse(""));
        }
    }

    private Submission submit(RdmaChannel channel) {
        if (!channel.state().isOpen()) {
            return Submission.NOT_OPEN;
        }
        long sequence = sent + 1;
        if (open == null) {
            open = channel.claim(OrderLayout.BYTES);
            if (open == null) {
                return Submission.POOL_EXHAUSTED;
            }
            Side side = (sequence & 1) == 0 ? Side.BUY : Side.SELL;
            OrderLayout.put(open.segment(), client, sequence, side, PRICE + sequence % BAD_SHARE, quantity(sequence));
        }
        submitted[(int) sequence & mask] = System.nanoTime();
        Submission submission = open.commit(OrderLayout.BYTES);
        // A claim that was not taken stays open, and is committed again.
        open = submission.isAccepted() ? null : open;
        return submission;
    }

    private static long quantity(long sequence) {
        return isBad(sequence) ? 0 : 1 + sequence % BAD_SHARE;
    }

    private static boolean isBad(long sequence) {
        return sequence % BAD_SHARE == 0;
    }
}
