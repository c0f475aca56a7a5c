// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * One side of a ping-pong of writes: writes a number into the last byte of the peer's memory, and finds the peer's
 * number in the last byte of its own, without any event. Adapters write a message's last byte last.
 *
 * <p>The bytes to be written lie in two places in turn, because those of a write must not change before it has ended.
 */
final class WritePingPong {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final int PLACES = 2;
    private static final int NUMBERS = 127;
    /** Over TCP it is a poll of this side that puts the peer's bytes in their place. */
    private static final int LOOKS_PER_POLL = 16;

    private final DataLine line;
    private final MemorySegment memory;
    private final RemoteRegion remote;
    private final Lease source;
    private final int size;
    private final int looks;
    private final long endedBefore;
    private long written;
    private long seen;

    /**
     * Makes a side.
     *
     * @param line the channel
     * @param memory what the peer writes to, whose last byte for this size is 0
     * @param remote the peer's memory
     * @param source a buffer for two writes
     * @param size bytes of one write
     */
    WritePingPong(DataLine line, MemorySegment memory, RemoteRegion remote, Lease source, int size) {
        this.line = line;
        this.memory = memory;
        this.remote = remote;
        this.source = source;
        this.size = size;
        this.looks = line.channel.transport() == Transport.RDMA ? LOOKS_PER_POLL : 1;
        this.endedBefore = line.peer.completions;
    }

    /** How many bytes a buffer needs for writes of this size. */
    static long sourceBytes(int size) {
        return (long) PLACES * size;
    }

    /** Makes the memory ready for a run; before the peer may write. */
    static void clear(MemorySegment memory, int size) {
        BYTE.setVolatile(memory, size - 1L, (byte) 0);
    }

    /** Writes the next number. */
    void write() {
        while (outstanding() >= PLACES) {
            line.await();
        }
        long from = written % PLACES * size;
        source.segment().set(ValueLayout.JAVA_BYTE, from + size - 1, number(written));
        Submission answer = line.channel.write(source, from, remote, 0, size, written);
        while (answer != Submission.ACCEPTED) {
            line.refused(answer);
            answer = line.channel.write(source, from, remote, 0, size, written);
        }
        written++;
    }

    /** Waits for the peer's next number; false when the run is over instead. */
    boolean await() {
        byte wanted = number(seen);
        while (true) {
            for (int i = 0; i < looks; i++) {
                if ((byte) BYTE.getAcquire(memory, size - 1L) == wanted) {
                    seen++;
                    line.heard();
                    return true;
                }
            }
            if (line.peer.ended) {
                return false;
            }
            line.await();
        }
    }

    /** Waits until all writes have ended; at the end of a run. */
    void finish() {
        while (outstanding() > 0) {
            line.await();
        }
    }

    private long outstanding() {
        return written - (line.peer.completions - endedBefore);
    }

    private static byte number(long index) {
        return (byte) (index % NUMBERS + 1);
    }
}
