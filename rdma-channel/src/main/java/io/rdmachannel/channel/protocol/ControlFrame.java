// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * One frame of a control connection: 16 bytes of header, in network byte order, and a payload of fields.
 *
 * @param type what it says
 * @param payload fields, see {@link Fields}
 */
public record ControlFrame(Type type, byte[] payload) {
    /** The major version, which both sides must share. */
    public static final int MAJOR_VERSION = 1;

    /** The minor version, which may differ: what the other side does not know it skips. */
    public static final int MINOR_VERSION = 0;

    /** The longest payload. */
    public static final int MAX_PAYLOAD_BYTES = 16 * 1024;

    private static final int HEADER_BYTES = 16;
    private static final int MAGIC =
            ByteBuffer.wrap("RDCH".getBytes(StandardCharsets.US_ASCII)).getInt();

    /** What a frame says; the numbers are on the wire. */
    public enum Type {
        /** The connecting side begins: what it offers. */
        HELLO(1),
        /** The accepting side's answer: what was chosen. */
        WELCOME(2),
        /** The accepting side's other answer: why there will be no channel. Also the last word on any error. */
        REFUSE(3),
        /** The connecting side is ready to receive on the transport that was chosen. */
        READY(4),
        /** First and only frame on the second connection of the tcp transport: which session it belongs to. */
        ATTACH(5),
        /** The sender closes its end in good order; what it sent is on the data path before. */
        GOODBYE(6),
        /** The sender lives. */
        HEARTBEAT(7),
        /** The connecting side, connected anew: what it has handled. */
        RESUME(8),
        /** The accepting side's answer: what it has handled. */
        RESUMED(9),
        /** With a shared secret, first on either side: something random that the other side's proof must cover. */
        CHALLENGE(16),
        /** The answer to a challenge: what only who knows the shared secret can make. */
        PROOF(17),
        /** A type of a newer minor version; skipped. */
        UNKNOWN(0);

        private final int number;

        Type(int number) {
            this.number = number;
        }

        /**
         * Says whether the frame means nothing to a side that waits for another one.
         *
         * @return true for HEARTBEAT and UNKNOWN
         */
        public boolean isSkipped() {
            return this == HEARTBEAT || this == UNKNOWN;
        }

        private static Type of(int number) {
            return Arrays.stream(values())
                    .filter(type -> type.number == number)
                    .findFirst()
                    .orElse(UNKNOWN);
        }
    }

    /**
     * Writes the frame.
     *
     * @return its bytes
     */
    public byte[] encode() {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .putInt(MAGIC)
                .put((byte) MAJOR_VERSION)
                .put((byte) MINOR_VERSION)
                .putShort((short) type.number)
                .putInt(payload.length)
                .putInt(0)
                .put(payload)
                .array();
    }

    /**
     * Reads a frame. Blocks as the stream does; never allocates more than the limit.
     *
     * @param stream the connection
     * @return the frame, or null at the end of the stream between two frames
     * @throws ProtocolException if it is no frame of this major version, or too long
     * @throws IOException if the stream fails, or ends within a frame
     */
    public static ControlFrame read(InputStream stream) throws IOException {
        int first = stream.read();
        if (first < 0) {
            return null;
        }
        byte[] header = new byte[HEADER_BYTES];
        header[0] = (byte) first;
        DataInputStream data = new DataInputStream(stream);
        data.readFully(header, 1, HEADER_BYTES - 1);
        ByteBuffer fields = ByteBuffer.wrap(header);
        requireMagic(fields.getInt());
        int major = Byte.toUnsignedInt(fields.get());
        int minor = Byte.toUnsignedInt(fields.get());
        if (major != MAJOR_VERSION) {
            throw new ProtocolException("the peer speaks version %d.%d of the control protocol, and this side %d.%d;"
                            .formatted(major, minor, MAJOR_VERSION, MINOR_VERSION)
                    + " update the older side, since the major version must be the same");
        }
        Type type = Type.of(Short.toUnsignedInt(fields.getShort()));
        int length = fields.getInt();
        if (length < 0 || length > MAX_PAYLOAD_BYTES) {
            throw new ProtocolException("a control frame of " + Integer.toUnsignedLong(length) + " bytes; at most "
                    + MAX_PAYLOAD_BYTES + " are allowed");
        }
        byte[] payload = new byte[length];
        data.readFully(payload);
        return new ControlFrame(type, payload);
    }

    private static void requireMagic(int found) {
        if (found != MAGIC) {
            throw new ProtocolException("the connection begins with 0x"
                    + HexFormat.of().toHexDigits(found) + " and not with \"RDCH\": the peer is no channel");
        }
    }
}
