// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Does what the peer asks for in the memory of this side, in its order, with the checks that an adapter makes. After
 * the first refusal it does nothing more, as a queue pair in the error state.
 */
final class TcpResponder {
    private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

    private final TcpOutput output;
    private final KeyTable keys = new KeyTable();
    private long executed;
    private long answered;
    private boolean refused;

    TcpResponder(TcpOutput output) {
        this.output = output;
    }

    KeyTable keys() {
        return keys;
    }

    /** Where the data of a write go; null when it is refused. */
    MemorySegment writeTarget(MemorySegment head) {
        long length = FrameHeader.length(head);
        return permitted(head, RegionRight.WRITE, length);
    }

    /** Where in that memory. */
    static long offset(MemorySegment head, MemorySegment memory) {
        return memory == null ? 0 : Operation.address(head) - memory.address();
    }

    /** The data of a write are there. Says whether it was permitted. */
    boolean written(MemorySegment head, boolean permitted) {
        return permitted ? execute(head) : refuse(head);
    }

    void read(MemorySegment head) {
        long length = Operation.length(head);
        MemorySegment memory = permitted(head, RegionRight.READ, length);
        if (memory == null || length > Integer.MAX_VALUE) {
            refuse(head);
        } else if (execute(head)) {
            requireRoom();
            long at = output.begin(false);
            Operation.put(output.heads(), at, Operation.READ_DATA, 0, 0, length);
            Operation.putHeader(output.heads(), at, (int) length, executed);
            output.data(memory, offset(head, memory), length);
            output.end();
            answered = executed;
        }
    }

    void atomic(MemorySegment head) {
        MemorySegment memory = permitted(head, RegionRight.ATOMIC, Long.BYTES);
        if (memory == null || (Operation.address(head) & Long.BYTES - 1) != 0) {
            refuse(head);
        } else if (execute(head)) {
            requireRoom();
            long found = swap(head, memory);
            long at = output.begin(false);
            Operation.put(output.heads(), at, Operation.ATOMIC_RESULT, 0, 0, 0);
            Operation.putHeader(output.heads(), at, 0, executed);
            Operation.putOperands(output.heads(), at, found, 0);
            output.end();
            answered = executed;
        }
    }

    /** Tells the peer what has been done, as far as no other answer has told it. */
    void answer() {
        if (answered != executed && output.takesAnswer()) {
            long at = output.begin(false);
            Operation.put(output.heads(), at, Operation.DONE, 0, 0, 0);
            Operation.putHeader(output.heads(), at, 0, executed);
            output.end();
            answered = executed;
        }
    }

    private static long swap(MemorySegment head, MemorySegment memory) {
        long offset = offset(head, memory);
        long first = Operation.first(head);
        return FrameHeader.type(head) == Operation.COMPARE_AND_SWAP
                ? (long) LONGS.compareAndExchange(memory, offset, first, Operation.second(head))
                : (long) LONGS.getAndAdd(memory, offset, first);
    }

    private MemorySegment permitted(MemorySegment head, RegionRight right, long length) {
        return refused ? null : keys.find(Operation.key(head), right, Operation.address(head), length);
    }

    private void requireRoom() {
        if (!output.takesAnswer()) {
            throw new ProtocolException("it asks for more and more, and does not take the answers");
        }
    }

    private boolean execute(MemorySegment head) {
        if (FrameHeader.sequence(head) != executed + 1) {
            throw new ProtocolException(
                    "operation " + FrameHeader.sequence(head) + " comes after operation " + executed);
        }
        executed++;
        return true;
    }

    private boolean refuse(MemorySegment head) {
        if (!refused) {
            refused = true;
            answer();
            long at = output.begin(false);
            Operation.put(output.heads(), at, Operation.REFUSED, 0, 0, 0);
            Operation.putHeader(output.heads(), at, 0, FrameHeader.sequence(head));
            output.end();
        }
        return false;
    }
}
