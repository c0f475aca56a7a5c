// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.OutgoingMessage;
import io.rdmachannel.channel.RdmaChannel;
import java.lang.foreign.MemorySegment;

/**
 * Counts what comes over the channel for the traffic. A message without bytes is the client's way to say that a run is
 * over. Fields and not methods: they are read in the loops that are measured, by the thread that writes them.
 */
final class TrafficHandler implements ChannelHandler {
    /** Messages that have come. */
    long messages;
    /** The length of the last one. */
    long length;
    /** Operations that have ended well. */
    long completions;
    /** Whether each message is answered by one of the same length. */
    boolean echoes;
    /** Answers that could not be sent from the handler, for want of credit or of room. */
    long owed;
    /** Whether the run is over. */
    boolean ended;
    /** Whether the channel is not open any more, or an operation has failed. */
    boolean broken;

    @Override
    public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long bytes) {
        if (bytes == 0) {
            ended = true;
            return;
        }
        length = bytes;
        messages++;
        if (echoes && (owed > 0 || !answer(channel, bytes))) {
            owed++;
        }
    }

    @Override
    public void onCompletion(RdmaChannel channel, long token, Outcome outcome) {
        if (outcome == Outcome.SUCCESS) {
            completions++;
        } else {
            broken = true;
        }
    }

    @Override
    public void onStateChange(RdmaChannel channel, ChannelState before, ChannelState now) {
        broken |= !now.isOpen();
    }

    /** Sends what is owed, outside the handler, where it can wait for credit. */
    void settle(DataLine line) {
        while (owed > 0) {
            line.send((int) length);
            owed--;
        }
    }

    private static boolean answer(RdmaChannel channel, long bytes) {
        OutgoingMessage message = channel.claim(bytes);
        if (message == null) {
            return false;
        }
        if (message.commit(bytes).isAccepted()) {
            return true;
        }
        message.abort();
        return false;
    }
}
