// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.protocol.FrameHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The bytes of what a peer sends on the data connection, right or wrong, on behalf of tests in other packages. */
public final class PeerFrames {
    /** The kinds of operations. */
    public static final int[] OPERATIONS = {
        Operation.WRITE,
        Operation.WRITE_WITH_IMMEDIATE,
        Operation.READ,
        Operation.COMPARE_AND_SWAP,
        Operation.FETCH_AND_ADD
    };

    /** The kinds of answers, of which the second one has data. */
    public static final int[] ANSWERS = {Operation.DONE, Operation.READ_DATA, Operation.ATOMIC_RESULT, Operation.REFUSED
    };

    private PeerFrames() {}

    /** A frame. */
    public static byte[] frame(int type, long sequence, long acknowledged, long granted, byte[] payload) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[FrameHeader.BYTES + payload.length]);
        FrameHeader.put(bytes, type, payload.length, sequence);
        FrameHeader.putState(bytes, acknowledged, granted);
        return withData(bytes, FrameHeader.BYTES, payload);
    }

    /** An operation; a read and an atomic have no data. */
    public static byte[] operation(int type, long number, long address, int key, long length, byte[] data) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Operation.BYTES + data.length]);
        Operation.put(bytes, 0, type, address, key, length);
        Operation.putHeader(bytes, 0, data.length, number);
        Operation.putOperands(bytes, 0, 3, 5);
        return withData(bytes, Operation.BYTES, data);
    }

    /** How many bytes a frame or operation has in front of its data, by its type. */
    public static int headBytes(int type) {
        return Operation.isOne(type) ? Operation.BYTES : FrameHeader.BYTES;
    }

    private static byte[] withData(MemorySegment bytes, long at, byte[] data) {
        MemorySegment.copy(data, 0, bytes, ValueLayout.JAVA_BYTE, at, data.length);
        return bytes.toArray(ValueLayout.JAVA_BYTE);
    }
}
