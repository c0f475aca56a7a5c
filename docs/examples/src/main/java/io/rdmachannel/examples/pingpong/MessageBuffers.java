// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One stretch of native memory with a message to send and two places to receive into, used in turn: while one message
 * is looked at, the next can arrive. Whoever closes it must have closed the region that registers it.
 */
final class MessageBuffers implements AutoCloseable {
    /** How many messages fit. */
    static final int SLOTS = 3;

    /** The slot of what is sent. */
    static final int OUTGOING = 0;

    private static final long PAGE = 4096;
    private static final byte POISON = 0x55;

    private final Arena arena = Arena.ofConfined();
    private final int size;
    private final long stride;
    private final MemorySegment memory;

    MessageBuffers(int size) {
        this.size = size;
        this.stride = (size + PAGE - 1) / PAGE * PAGE;
        this.memory = arena.allocate(SLOTS * stride, PAGE);
        slot(OUTGOING).fill(Pattern.FILL);
        poison(0);
        poison(1);
    }

    MemorySegment memory() {
        return memory;
    }

    int size() {
        return size;
    }

    /** Where a slot begins in the memory. */
    long offset(int slot) {
        return slot * stride;
    }

    /** The slot that the message of a round arrives in. */
    static int incoming(long round) {
        return 1 + (int) (round & 1);
    }

    /** Prepares the content that is sent in a round. */
    void fillOutgoing(int round) {
        byte[] content = new byte[size];
        Pattern.fill(content, round);
        slot(OUTGOING).copyFrom(MemorySegment.ofArray(content));
    }

    /** Spoils the place where the message of a round will arrive: what is right afterwards has been received. */
    void poison(long round) {
        slot(incoming(round)).fill(POISON);
    }

    /** Checks that the echo is what was sent. */
    void requireEcho(int round) {
        long wrong = slot(OUTGOING).mismatch(slot(incoming(round)));
        if (wrong >= 0) {
            throw wrongContent(round, "byte " + wrong + " is not what was sent");
        }
    }

    /** Checks that the message is what a client sends. */
    void requirePattern(int round) {
        byte[] content = slot(incoming(round)).toArray(ValueLayout.JAVA_BYTE);
        if (!Pattern.isExpected(content, round)) {
            throw wrongContent(round, Pattern.explain(content, round));
        }
    }

    @Override
    public void close() {
        arena.close();
    }

    private MemorySegment slot(int slot) {
        return memory.asSlice(offset(slot), size);
    }

    private static PingPongException wrongContent(int round, String what) {
        return new PingPongException("wrong content in message " + (round + 1) + ": " + what);
    }
}
