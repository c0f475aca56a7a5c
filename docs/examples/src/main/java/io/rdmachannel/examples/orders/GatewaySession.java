// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.Submission;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/**
 * The gateway's side of one client: checks each order and answers it. In the poller's thread only. Answers that
 * find no room wait here, and go when an earlier one has ended: then there is room again.
 */
final class GatewaySession implements ChannelHandler {
    private static final long QUANTITY_MAX = 1_000_000;

    private final Gateway gateway;
    private final MemorySegment answer = Arena.ofAuto().allocate(AnswerLayout.BYTES, Long.BYTES);
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private int client;
    private long lastSequence;
    private long outstanding;

    GatewaySession(Gateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
        if (length != OrderLayout.BYTES) {
            // Out of a handler this ends the channel, and no other.
            throw new IllegalArgumentException("an order of " + length + " bytes; orders have " + OrderLayout.BYTES);
        }
        long sequence = OrderLayout.sequence(buffer, offset);
        int from = OrderLayout.client(buffer, offset);
        Verdict verdict = judge(buffer, offset, from, sequence);
        AnswerLayout.put(answer, from, sequence, verdict, gateway.count(verdict));
        if (!waiting.isEmpty() || !isSent(channel, answer)) {
            waiting.add(answer.toArray(ValueLayout.JAVA_BYTE));
            sendLater(channel);
        }
    }

    @Override
    public void onCompletion(RdmaChannel channel, long token, Outcome outcome) {
        outstanding--;
        sendWaiting(channel);
    }

    @Override
    public void onStateChange(RdmaChannel channel, ChannelState before, ChannelState now) {
        if (now == ChannelState.FAILED || now == ChannelState.CLOSED && before != ChannelState.FAILED) {
            gateway.ended();
        }
    }

    private Verdict judge(MemorySegment buffer, long offset, int from, long sequence) {
        client = lastSequence == 0 ? from : client;
        if (from != client) {
            return Verdict.WRONG_CLIENT;
        }
        if (sequence != lastSequence + 1) {
            return Verdict.OUT_OF_SEQUENCE;
        }
        lastSequence = sequence;
        long quantity = OrderLayout.quantity(buffer, offset);
        if (!Side.isOne(OrderLayout.side(buffer, offset))) {
            return Verdict.BAD_SIDE;
        }
        if (OrderLayout.price(buffer, offset) <= 0) {
            return Verdict.BAD_PRICE;
        }
        return quantity > 0 && quantity <= QUANTITY_MAX ? Verdict.ACKNOWLEDGED : Verdict.BAD_QUANTITY;
    }

    /** Says whether an answer needs no further care: it was taken, or nobody is there to get it. */
    private boolean isSent(RdmaChannel channel, MemorySegment bytes) {
        Submission submission = channel.send(bytes, 0, AnswerLayout.BYTES, 0);
        if (submission.isAccepted()) {
            outstanding++;
        }
        return !submission.isBackPressure();
    }

    private void sendWaiting(RdmaChannel channel) {
        while (!waiting.isEmpty() && isSent(channel, MemorySegment.ofArray(waiting.peek()))) {
            waiting.remove();
        }
        sendLater(channel);
    }

    /** Without an answer on its way none will end, so the next poll tries again. */
    private void sendLater(RdmaChannel channel) {
        if (!waiting.isEmpty() && outstanding == 0) {
            channel.poller().execute(() -> sendWaiting(channel));
        }
    }
}
