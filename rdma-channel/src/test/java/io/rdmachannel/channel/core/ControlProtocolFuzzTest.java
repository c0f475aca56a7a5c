// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.RecoveryPolicy;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.protocol.Announcement;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.PrivateHello;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.channel.rdma.PeerDescription;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * The decoders of what a peer says of itself: frames and fields of the control connection, private data of librdmacm,
 * and the parts of frames of the data path. The first byte chooses; on the control connection the second one says in
 * pieces of how many bytes it arrives.
 */
class ControlProtocolFuzzTest {
    private static final FuzzChecks CHECKS = FuzzChecks.ofThisThread();
    private static final ChannelConfig RECOVERING =
            ChannelConfig.builder().recovery(RecoveryPolicy.BLOCK).build();
    private static final ChannelConfig CONFIG = ChannelConfig.builder().build();
    private static final Optional<SharedReceives> SHARED = Optional.of(new SharedReceives(10, 100, 4096));
    private static final int SESSION_BYTES = 16;

    @FuzzTest
    void shouldTakeItOrRefuseIt(byte[] data) throws IOException {
        fuzzerTestOneInput(data);
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        // Values are copied, by field and by frame, and an exception has a stack; the longest payload is set aside
        // once.
        CHECKS.run(ControlFrame.MAX_PAYLOAD_BYTES + (96 << 10) + 64L * data.length, () -> read(new FuzzScript(data)));
    }

    private static void read(FuzzScript script) throws IOException {
        try {
            switch (script.next(4)) {
                case 0 -> readConnection(script);
                case 1 -> readPrivateHello(script.rest());
                case 2 -> readRejection(script.rest());
                default -> readDataPath(script.rest());
            }
        } catch (ProtocolException expected) {
            // That is what it is for.
        }
    }

    private static void readConnection(FuzzScript script) throws IOException {
        InputStream stream = new Pieces(1 + script.next(), script.rest());
        try {
            for (ControlFrame frame = ControlFrame.read(stream); frame != null; frame = ControlFrame.read(stream)) {
                read(frame.type(), Fields.decode(frame.payload()));
            }
        } catch (EOFException expected) {
            // It ends within a frame.
        }
    }

    private static void read(ControlFrame.Type type, Fields fields) {
        switch (type) {
            case HELLO, WELCOME -> {
                check(Conversation.between(CONFIG, Optional.empty(), fields));
                check(Conversation.between(CONFIG, SHARED, fields));
                fields.number(Tag.TRANSPORTS, 1, 0, 255);
                fields.bytes(Tag.SESSION, SESSION_BYTES);
                Heartbeat.between(CONFIG, fields);
                Resumable.agreed(RECOVERING, fields);
                Sessions.isAnew(fields);
                readEnd(fields);
            }
            case RESUME, RESUMED -> Delivered.from(fields);
            case READY -> fields.number(Tag.TRANSPORTS, 1, Offer.TCP_BIT, Offer.RDMA_BIT);
            case ATTACH -> {
                fields.bytes(Tag.SESSION, SESSION_BYTES);
                fields.bytes(Tag.PROOF, Hmac.BYTES);
            }
            case REFUSE -> {
                require(fields.text(Tag.REASON).length() <= 4096, "a text of more than 4,096 characters");
                require(fields.text(Tag.REFUSAL).length() <= 4096, "a text of more than 4,096 characters");
            }
            default -> requireSameAgain(fields);
        }
    }

    private static void readEnd(Fields fields) {
        try {
            PeerDescription.read(fields);
        } catch (ChannelException expected) {
            // What it says is right, and does not go together with this side.
        }
    }

    private static void requireSameAgain(Fields fields) {
        byte[] once = fields.encode();
        byte[] twice = Fields.decode(once).encode();
        require(Arrays.equals(once, twice), "fields change when they are written and read");
    }

    private static void readPrivateHello(byte[] data) {
        Fields fields = PrivateHello.decode(data);
        check(Conversation.between(CONFIG, Optional.empty(), fields));
        fields.bytes(Tag.SESSION, SESSION_BYTES);
    }

    private static void readRejection(byte[] data) {
        if (PrivateHello.isRefusal(data)) {
            PrivateHello.isBusy(data);
            require(PrivateHello.sentence(data).length() <= data.length, "a sentence longer than what was sent");
        }
    }

    /** The memory is as long as what was received, so that reading behind it would be noticed. */
    private static void readDataPath(byte[] data) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Math.max(1, data.length)).asSlice(0, data.length);
            memory.copyFrom(MemorySegment.ofArray(data));
            if (data.length >= FrameHeader.BYTES) {
                FrameHeader.type(memory);
                FrameHeader.length(memory);
                FrameHeader.sequence(memory);
                FrameHeader.acknowledged(memory);
                FrameHeader.granted(memory);
            }
            if (data.length >= Announcement.BYTES) {
                Announcement.address(memory);
                Announcement.length(memory);
                Announcement.key(memory);
            }
            RegionNotice notice = RegionNotice.read(memory, data.length);
            require(notice.length() > 0 && !notice.rights().isEmpty(), "a region that is none: " + notice);
            require(notice.name().length() <= RegionNotice.NAME_MAX_BYTES, "a name of more than 64 characters");
        }
    }

    private static void check(Conversation values) {
        require(values.eagerBytes() >= 64 && values.eagerBytes() <= values.receiveBytes(), "eager bytes of " + values);
        require(values.peerReceiveCredit() >= 8, "credit of " + values);
        require(values.peerReceiveCredit() <= values.peerReceiveDepth(), "more credit than receives in " + values);
        require(values.peerReceiveDepth() <= 16_384, "receives of " + values);
        require(values.maxMessageBytes() >= 0, "longest message of " + values);
        require(values.maxMessageBytes() <= CONFIG.maxMessageBytes(), "longest message of " + values);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /** Gives a few bytes at a time, as a connection does. */
    private static final class Pieces extends ByteArrayInputStream {
        private final int size;

        Pieces(int size, byte[] bytes) {
            super(bytes);
            this.size = size;
        }

        @Override
        public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, size));
        }
    }
}
