// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.FrameHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What does it cost to write and read the header of a frame, and the fields of a handshake? */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    private final MemorySegment header = Arena.ofShared().allocate(FrameHeader.BYTES, 8);
    private final byte[] session = new byte[16];
    private long sequence;

    /**
     * Once for each message.
     *
     * @return something of all that was read
     */
    @Benchmark
    public long frameHeader() {
        sequence++;
        FrameHeader.put(header, FrameHeader.MESSAGE, 64, sequence);
        FrameHeader.putState(header, sequence, sequence + 128);
        return FrameHeader.type(header)
                + FrameHeader.length(header)
                + FrameHeader.sequence(header)
                + FrameHeader.acknowledged(header)
                + FrameHeader.granted(header);
    }

    /**
     * The same, as over RDMA: into a work request, and out of a receive buffer.
     *
     * @return something of all that was read
     */
    @Benchmark
    public long frameHeaderByAddress() {
        sequence++;
        long address = header.address();
        FrameHeader.put(address, FrameHeader.MESSAGE, 64, sequence, sequence, sequence + 128);
        return FrameHeader.typeAndLength(address)
                + FrameHeader.sequence(address)
                + FrameHeader.acknowledged(address)
                + FrameHeader.granted(address);
    }

    /**
     * Twice for each handshake.
     *
     * @return what was read
     */
    @Benchmark
    public Fields handshakeFields() {
        Fields hello = new Fields()
                .put(Tag.SESSION, session)
                .put(Tag.EPOCH, Long.BYTES, 0)
                .put(Tag.TRANSPORTS, 1, 3)
                .put(Tag.RECEIVE_BYTES, Integer.BYTES, 8192)
                .put(Tag.RECEIVE_DEPTH, Integer.BYTES, 128)
                .put(Tag.RECEIVE_CREDIT, Integer.BYTES, 128)
                .put(Tag.MAX_MESSAGE_BYTES, Long.BYTES, 1L << 26);
        return Fields.decode(hello.encode());
    }
}
