// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.protocol.Announcement;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.channel.tcp.PeerFrames;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/**
 * The other end of a data connection, which says what a script wants. A script of zeros says what is right at the
 * moment, so that a few bytes lead far; any other byte makes something wrong.
 */
final class FuzzedPeer {
    private final SocketChannel socket;
    private final FuzzScript script;
    private final ByteBuffer received = ByteBuffer.allocate(1 << 16);
    private final List<RegionNotice> regions = new ArrayList<>();
    private final List<Integer> types = new ArrayList<>();
    private byte[] unsent = new byte[1 << 10];
    private int said;
    private int sent;
    private byte[] partial = {};
    private long messages;
    private long operations;
    private long messagesReceived;
    private long framesReceived;
    private boolean broken;

    FuzzedPeer(SocketChannel socket, FuzzScript script) {
        this.socket = socket;
        this.script = script;
    }

    /** What the channel has exposed, as far as it was received. */
    List<RegionNotice> regions() {
        return regions;
    }

    /** The types of what was received. */
    List<Integer> types() {
        return types;
    }

    void sayFrame() {
        int type = FrameHeader.MESSAGE + script.next(8);
        byte[] payload = script.take(script.next());
        long sequence = messages + 1 + script.nextSigned();
        messages += type == FrameHeader.MESSAGE || type == FrameHeader.ANNOUNCEMENT ? 1 : 0;
        say(PeerFrames.frame(type, sequence, acknowledged(), granted(), payload));
    }

    void sayAnnouncement() {
        MemorySegment payload = MemorySegment.ofArray(new byte[Announcement.BYTES]);
        Announcement.put(payload, 1 << 20, script.nextShort() + 65L, script.next());
        messages++;
        say(PeerFrames.frame(
                FrameHeader.ANNOUNCEMENT, messages, acknowledged(), granted(), payload.toArray(ValueLayout.JAVA_BYTE)));
    }

    void sayRegion() {
        int type = script.nextBoolean() ? FrameHeader.REGION_REVOKED : FrameHeader.REGION_EXPOSED;
        EnumSet<RegionRight> rights = EnumSet.allOf(RegionRight.class);
        MemorySegment payload = MemorySegment.ofArray(new byte[RegionNotice.MAX_BYTES]);
        int length = new RegionNotice("region" + script.next(), 4096, 4096L, 99, rights).write(payload);
        byte[] bytes = Arrays.copyOf(payload.toArray(ValueLayout.JAVA_BYTE), length + script.nextSigned() / 16);
        say(PeerFrames.frame(type, messages + 1, acknowledged(), granted(), bytes));
    }

    void sayOperation() {
        int type = PeerFrames.OPERATIONS[script.next(PeerFrames.OPERATIONS.length)];
        RegionNotice region = regions.isEmpty()
                ? new RegionNotice("none", 0, 1, 0, EnumSet.of(RegionRight.READ))
                : regions.get(script.next() % regions.size());
        long address = region.address() + (short) script.nextShort();
        int length = script.nextShort();
        operations++;
        long number = operations + script.nextSigned();
        int key = region.key() ^ script.next();
        boolean writes = type == PeerFrames.OPERATIONS[0] || type == PeerFrames.OPERATIONS[1];
        byte[] data = new byte[writes ? length : 0];
        Arrays.fill(data, (byte) 0xD7);
        say(PeerFrames.operation(type, number, address, key, length, data));
    }

    void sayAnswer() {
        int type = PeerFrames.ANSWERS[script.next(PeerFrames.ANSWERS.length)];
        int number = script.next();
        byte[] data = new byte[type == PeerFrames.ANSWERS[1] ? script.nextShort() : 0];
        say(PeerFrames.operation(type, number, 0, 0, data.length, data));
    }

    void sayBytes() {
        say(script.take(script.next()));
    }

    /** Sends some of what was said, so that it is cut anywhere; what the socket does not take stays. */
    void deliver(int count) throws IOException {
        ByteBuffer part = ByteBuffer.wrap(unsent, sent, Math.min(count, said - sent));
        try {
            while (part.hasRemaining() && !broken && socket.write(part) > 0) {
                Thread.onSpinWait();
            }
        } catch (IOException gone) {
            broken = true;
        }
        sent = part.position();
    }

    boolean hasUnsent() {
        return sent < said && !broken;
    }

    /** Reads what the channel has sent. */
    void receive() {
        try {
            while (!broken && socket.read(received.clear()) > 0) {
                received.flip();
                byte[] all = Arrays.copyOf(partial, partial.length + received.remaining());
                received.get(all, partial.length, received.remaining());
                partial = takeFrames(all);
            }
        } catch (IOException gone) {
            broken = true;
        }
    }

    void close() throws IOException {
        socket.close();
    }

    private byte[] takeFrames(byte[] all) {
        MemorySegment bytes = MemorySegment.ofArray(all);
        int at = 0;
        while (all.length - at >= FrameHeader.BYTES) {
            MemorySegment frame = bytes.asSlice(at);
            int type = FrameHeader.type(frame);
            int head = PeerFrames.headBytes(type);
            int length = FrameHeader.length(frame);
            if (frame.byteSize() < head + length) {
                break;
            }
            framesReceived += head == FrameHeader.BYTES ? 1 : 0;
            note(type, frame.asSlice(head, length));
            at += head + length;
        }
        return Arrays.copyOfRange(all, at, all.length);
    }

    private void note(int type, MemorySegment payload) {
        types.add(type);
        if (type == FrameHeader.REGION_EXPOSED) {
            regions.add(RegionNotice.read(payload, payload.byteSize()));
        } else if (type == FrameHeader.MESSAGE || type == FrameHeader.ANNOUNCEMENT) {
            messagesReceived++;
        }
    }

    private long acknowledged() {
        return messagesReceived + script.nextSigned();
    }

    private long granted() {
        return FuzzedChannel.PEER_DEPTH + framesReceived + script.nextSigned();
    }

    private void say(byte[] bytes) {
        if (said + bytes.length > unsent.length) {
            unsent = Arrays.copyOf(unsent, (said + bytes.length) * 2);
        }
        System.arraycopy(bytes, 0, unsent, said, bytes.length);
        said += bytes.length;
    }
}
