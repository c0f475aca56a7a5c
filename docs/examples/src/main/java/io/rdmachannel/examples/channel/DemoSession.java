// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.Submission;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Set;

/** What the server does for one client: exposes memory to it, and answers its messages. The poller's thread only. */
final class DemoSession implements ChannelHandler {
    /** The name of the region. */
    static final String REGION = "demo";

    /** Its size. */
    static final int REGION_BYTES = 64 * 1024;

    private final MemorySegment memory = Arena.ofAuto().allocate(REGION_BYTES, Long.BYTES);
    private final MemorySegment answer = Arena.ofAuto().allocate(DemoMessage.BYTES, Long.BYTES);
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private RdmaChannel channel;

    @Override
    public void onStateChange(RdmaChannel changed, ChannelState before, ChannelState now) {
        if (now == ChannelState.CONNECTED) {
            channel = changed;
            channel.expose(REGION, memory, Set.of(RegionRight.WRITE, RegionRight.READ));
        }
    }

    @Override
    public void onMessage(RdmaChannel from, MemorySegment buffer, long offset, long length) {
        if (length != DemoMessage.BYTES) {
            throw new IllegalArgumentException("a message of " + length + " bytes; the demo's have 64");
        }
        MemorySegment message = buffer.asSlice(offset, length);
        switch (DemoMessage.kind(message)) {
            case DemoMessage.ECHO -> answer.copyFrom(message);
            case DemoMessage.CHECK -> check(message);
            default -> throw new IllegalArgumentException("a message of kind " + DemoMessage.kind(message));
        }
        // Answers leave in order: no new one overtakes those that wait.
        if (!waiting.isEmpty() || from.send(answer, 0, DemoMessage.BYTES).isBackPressure()) {
            waiting.add(answer.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** Sends answers again for which there was no room. */
    void proceed() {
        while (!waiting.isEmpty()) {
            Submission submission = channel.send(MemorySegment.ofArray(waiting.peek()), 0, DemoMessage.BYTES);
            if (submission.isBackPressure()) {
                return;
            }
            waiting.remove();
        }
    }

    /** The writes that were sent before this message have landed when it is handled. */
    private void check(MemorySegment message) {
        int length = Math.clamp(DemoMessage.length(message), 0, REGION_BYTES);
        long seed = DemoMessage.seed(message);
        DemoMessage.putVerdict(answer, length, seed, Pattern.mismatch(memory, 0, length, seed));
    }
}
