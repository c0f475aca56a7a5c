// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RdmaChannel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What the client hears: the last answer, and the end of the last write. The poller's thread only. */
final class DemoPeer implements ChannelHandler {
    private final MemorySegment answer = Arena.ofAuto().allocate(DemoMessage.BYTES, Long.BYTES);
    private long answers;
    private long lastToken = -1;
    private Outcome lastOutcome;

    @Override
    public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
        // The buffer goes back when this returns.
        MemorySegment.copy(buffer, offset, answer, 0, Math.min(length, DemoMessage.BYTES));
        answers++;
    }

    @Override
    public void onCompletion(RdmaChannel channel, long token, Outcome outcome) {
        lastToken = token;
        lastOutcome = outcome;
    }

    MemorySegment answer() {
        return answer;
    }

    long answers() {
        return answers;
    }

    boolean hasEnded(long token) {
        return lastToken == token;
    }

    Outcome lastOutcome() {
        return lastOutcome;
    }
}
