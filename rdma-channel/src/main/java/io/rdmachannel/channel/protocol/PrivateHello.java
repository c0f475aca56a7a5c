// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import io.rdmachannel.channel.protocol.Fields.Tag;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What the two sides tell each other in the private data of librdmacm, which has room for 56 bytes of a request: the
 * fields of HELLO and WELCOME that it does not carry itself, in a fixed place each, in network byte order.
 */
public final class PrivateHello {
    /** The size of a request's and an answer's. */
    public static final int BYTES = 40;

    private static final int REFUSAL_HEADER_BYTES = 8;
    /** What a rejection has room for. */
    private static final int REFUSAL_BYTES_MAX = 148;

    private static final int MAGIC =
            ByteBuffer.wrap("RDCM".getBytes(StandardCharsets.US_ASCII)).getInt();
    private static final int REFUSAL_MAGIC =
            ByteBuffer.wrap("RDCR".getBytes(StandardCharsets.US_ASCII)).getInt();
    private static final int SESSION_BYTES = 16;

    private PrivateHello() {}

    /**
     * Writes one.
     *
     * @param fields with SESSION, RECEIVE_BYTES, RECEIVE_DEPTH, RECEIVE_CREDIT and MAX_MESSAGE_BYTES
     * @return the private data
     */
    public static byte[] encode(Fields fields) {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .put((byte) ControlFrame.MAJOR_VERSION)
                .put((byte) ControlFrame.MINOR_VERSION)
                .putShort((short) 0)
                .put(fields.bytes(Tag.SESSION, SESSION_BYTES))
                .putInt((int) fields.number(Tag.RECEIVE_BYTES, Integer.BYTES, 0, Integer.MAX_VALUE))
                .putShort((short) fields.number(Tag.RECEIVE_DEPTH, Integer.BYTES, 0, Short.MAX_VALUE))
                .putShort((short) fields.number(Tag.RECEIVE_CREDIT, Integer.BYTES, 0, Short.MAX_VALUE))
                .putLong(fields.number(Tag.MAX_MESSAGE_BYTES, Long.BYTES, 0, Long.MAX_VALUE))
                .array();
    }

    /**
     * Reads one. What is behind it, such as zeros that fill the packet, or what a newer minor version says, is skipped.
     *
     * @param data private data of a peer
     * @return its fields, unchecked
     * @throws ProtocolException if it is none, or of another major version
     */
    public static Fields decode(byte[] data) {
        if (data.length < BYTES || ByteBuffer.wrap(data).getInt() != MAGIC) {
            throw new ProtocolException("its private data does not begin with \"RDCM\": the peer is no channel");
        }
        ByteBuffer in = ByteBuffer.wrap(data).position(Integer.BYTES);
        int major = Byte.toUnsignedInt(in.get());
        int minor = Byte.toUnsignedInt(in.get());
        if (major != ControlFrame.MAJOR_VERSION) {
            throw new ProtocolException("the peer speaks version " + major + "." + minor
                    + " of the control protocol, and this side " + ControlFrame.MAJOR_VERSION + "."
                    + ControlFrame.MINOR_VERSION + "; update the older side, since the major version must be the same");
        }
        in.getShort();
        byte[] session = new byte[SESSION_BYTES];
        in.get(session);
        return new Fields()
                .put(Tag.SESSION, session)
                .put(Tag.RECEIVE_BYTES, Integer.BYTES, in.getInt())
                .put(Tag.RECEIVE_DEPTH, Integer.BYTES, Short.toUnsignedInt(in.getShort()))
                .put(Tag.RECEIVE_CREDIT, Integer.BYTES, Short.toUnsignedInt(in.getShort()))
                .put(Tag.MAX_MESSAGE_BYTES, Long.BYTES, in.getLong());
    }

    /**
     * Writes a refusal; a sentence that is too long is cut.
     *
     * @param busy whether it is worth trying again
     * @param sentence for people
     * @return the private data of a rejection
     */
    public static byte[] encodeRefusal(boolean busy, String sentence) {
        byte[] text = sentence.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, REFUSAL_BYTES_MAX - REFUSAL_HEADER_BYTES);
        while (length < text.length && (text[length] & 0xC0) == 0x80) {
            length--;
        }
        return ByteBuffer.allocate(REFUSAL_HEADER_BYTES + length)
                .putInt(REFUSAL_MAGIC)
                .put((byte) ControlFrame.MAJOR_VERSION)
                .put((byte) (busy ? 1 : 0))
                .putShort((short) length)
                .put(text, 0, length)
                .array();
    }

    /**
     * Says whether private data is a refusal.
     *
     * @param data of a rejection
     * @return false when something else rejected, such as a kernel where nobody listens
     */
    public static boolean isRefusal(byte[] data) {
        return data.length >= REFUSAL_HEADER_BYTES && ByteBuffer.wrap(data).getInt() == REFUSAL_MAGIC;
    }

    /**
     * Says whether a refusal is worth trying again.
     *
     * @param refusal for which {@link #isRefusal} holds
     * @return true when the peer is busy
     */
    public static boolean isBusy(byte[] refusal) {
        return refusal[Integer.BYTES + 1] == 1;
    }

    /**
     * Gives a refusal's sentence.
     *
     * @param refusal for which {@link #isRefusal} holds
     * @return what the peer says, without control characters
     */
    public static String sentence(byte[] refusal) {
        int said = Short.toUnsignedInt(ByteBuffer.wrap(refusal).getShort(Integer.BYTES + Short.BYTES));
        int length = Math.min(said, refusal.length - REFUSAL_HEADER_BYTES);
        return Words.printable(new String(refusal, REFUSAL_HEADER_BYTES, length, StandardCharsets.UTF_8));
    }
}
