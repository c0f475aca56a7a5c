// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * The payload of a control frame: fields, each a tag of 2 bytes, a length of 2 bytes, and a value, in network byte
 * order. Unknown tags are skipped, so a newer side may say more. Of a tag that comes twice the last one counts.
 */
public final class Fields {
    private static final int TEXT_MAX_BYTES = 4096;

    private final Map<Tag, byte[]> values = new EnumMap<>(Tag.class);

    /** What a field says; the numbers are on the wire. */
    public enum Tag {
        /** The session: 16 random bytes. */
        SESSION(1),
        /** How often the session has been connected anew: 8 bytes. */
        EPOCH(2),
        /** Which transports are offered, or which was chosen: 1 byte, bit 0 TCP, bit 1 RDMA. */
        TRANSPORTS(3),
        /** The size of receive buffers: 4 bytes. */
        RECEIVE_BYTES(4),
        /** How many receives are posted at most: 4 bytes. */
        RECEIVE_DEPTH(5),
        /** The longest message: 8 bytes. */
        MAX_MESSAGE_BYTES(6),
        /** What the proof of an ATTACH is made of: 16 random bytes. */
        ATTACH_SECRET(7),
        /** A sentence for people: why refused, or why not RDMA. UTF-8. */
        REASON(8),
        /** The kind of refusal: the name of a constant. */
        REFUSAL(9),
        /** The queue pair's number: 4 bytes. */
        QUEUE_PAIR_NUMBER(16),
        /** The first packet sequence number: 4 bytes. */
        PACKET_SEQUENCE_NUMBER(17),
        /** The GID: 16 bytes. */
        GID(18),
        /** The LID: 2 bytes. */
        LID(19),
        /** The path MTU in bytes: 4 bytes. */
        PATH_MTU(20),
        /** 1 for InfiniBand, 2 for Ethernet: 1 byte. */
        LINK_LAYER(21),
        /** How many reads and atomics of the peer are served at once: 1 byte. */
        RESPONDER_READS(22),
        /** How many reads and atomics are started at once at most: 1 byte. */
        INITIATOR_READS(23),
        /** How many receives are posted at the beginning; as many as there can be when it is missing: 4 bytes. */
        RECEIVE_CREDIT(24),
        /** How often heartbeats are wanted, in milliseconds, 0 for not at all: 4 bytes. */
        HEARTBEAT_INTERVAL(32),
        /** Whether the side recovers from failures, 0 or 1: 1 byte. */
        RECOVERY(33),
        /** What makes a HELLO of a later epoch believed: 16 random bytes. */
        RESUME_SECRET(34),
        /** The proof of that: HMAC-SHA256 of session and epoch under the secret, 32 bytes. */
        RESUME_PROOF(35),
        /** How many messages of the peer have been handled: 8 bytes. */
        MESSAGES_HANDLED(36),
        /** How many writes with immediate of the peer have been told: 8 bytes. */
        IMMEDIATES_TOLD(37),
        /** What proves that its sender knows a secret: 32 bytes. */
        PROOF(48),
        /** What a proof must cover, different each time: 32 random bytes. */
        NONCE(49);

        private final int number;

        Tag(int number) {
            this.number = number;
        }

        private static Tag of(int number) {
            for (Tag tag : values()) {
                if (tag.number == number) {
                    return tag;
                }
            }
            return null;
        }
    }

    /**
     * Reads fields.
     *
     * @param payload of a control frame
     * @return the fields
     * @throws ProtocolException if a field is cut off
     */
    public static Fields decode(byte[] payload) {
        Fields fields = new Fields();
        ByteBuffer buffer = ByteBuffer.wrap(payload);
        while (buffer.hasRemaining()) {
            if (buffer.remaining() < 4) {
                throw new ProtocolException("a field is cut off after " + buffer.remaining() + " bytes");
            }
            Tag tag = Tag.of(Short.toUnsignedInt(buffer.getShort()));
            int length = Short.toUnsignedInt(buffer.getShort());
            if (length > buffer.remaining()) {
                throw new ProtocolException(
                        "field " + tag + " has " + buffer.remaining() + " of its " + length + " bytes");
            }
            byte[] value = new byte[length];
            buffer.get(value);
            if (tag != null) {
                fields.values.put(tag, value);
            }
        }
        return fields;
    }

    /**
     * Writes the fields.
     *
     * @return a payload
     */
    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes)) {
            for (Map.Entry<Tag, byte[]> field : values.entrySet()) {
                data.writeShort(field.getKey().number);
                data.writeShort(field.getValue().length);
                data.write(field.getValue());
            }
        } catch (IOException impossible) {
            throw new AssertionError("memory takes everything", impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * Says whether a field is there.
     *
     * @param tag which
     * @return true when it was sent
     */
    public boolean has(Tag tag) {
        return values.containsKey(tag);
    }

    /**
     * Adds bytes.
     *
     * @param tag which field
     * @param value its bytes, at most 65,535
     * @return this
     */
    public Fields put(Tag tag, byte[] value) {
        values.put(tag, value.clone());
        return this;
    }

    /**
     * Adds a number.
     *
     * @param tag which field
     * @param size how many bytes it takes: 1, 2, 4 or 8
     * @param value the number
     * @return this
     */
    public Fields put(Tag tag, int size, long value) {
        byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        byte[] last = new byte[size];
        System.arraycopy(all, Long.BYTES - size, last, 0, size);
        values.put(tag, last);
        return this;
    }

    /**
     * Adds a text, cut to 4 KiB.
     *
     * @param tag which field
     * @param text the text
     * @return this
     */
    public Fields put(Tag tag, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        values.put(tag, bytes.length <= TEXT_MAX_BYTES ? bytes : Arrays.copyOf(bytes, TEXT_MAX_BYTES));
        return this;
    }

    /**
     * Gives bytes.
     *
     * @param tag which field
     * @param size how many there must be
     * @return the bytes
     * @throws ProtocolException if it is missing or of another size
     */
    public byte[] bytes(Tag tag, int size) {
        byte[] value = values.get(tag);
        if (value == null || value.length != size) {
            throw new ProtocolException("field " + tag + " is "
                    + (value == null ? "missing" : value.length + " bytes long") + "; " + size + " bytes are needed");
        }
        return value.clone();
    }

    /**
     * Gives a number within a range.
     *
     * @param tag which field
     * @param size how many bytes it takes
     * @param min the least
     * @param max the most
     * @return the number
     * @throws ProtocolException if it is missing, of another size, or out of range
     */
    public long number(Tag tag, int size, long min, long max) {
        long number = 0;
        for (byte part : bytes(tag, size)) {
            number = number << Byte.SIZE | Byte.toUnsignedLong(part);
        }
        if (number < min || number > max) {
            throw new ProtocolException(
                    "field " + tag + " is " + number + ", and must be between " + min + " and " + max);
        }
        return number;
    }

    /**
     * Gives a text, without control characters: it goes into logs, and must not forge lines of them.
     *
     * @param tag which field
     * @return the text; empty when it is missing
     */
    public String text(Tag tag) {
        byte[] value = values.getOrDefault(tag, new byte[0]);
        String said = new String(value, 0, Math.min(value.length, TEXT_MAX_BYTES), StandardCharsets.UTF_8);
        return Words.printable(said);
    }
}
