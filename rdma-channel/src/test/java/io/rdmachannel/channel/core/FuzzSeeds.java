// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.protocol.Announcement;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.PrivateHello;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.channel.rdma.PeerDescription;
import io.rdmachannel.channel.tcp.PeerFrames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;

/**
 * Writes conversations that keep to the protocol, with which fuzzing begins. The argument is the directory of the test
 * resources of this package; docs/fuzzing.md has the command. To be run when the protocol has changed.
 */
final class FuzzSeeds {
    private static final byte[] SESSION = new byte[Session.BYTES];

    private final Path resources;

    private FuzzSeeds(Path resources) {
        this.resources = resources;
    }

    public static void main(String[] arguments) throws IOException {
        FuzzSeeds seeds = new FuzzSeeds(Path.of(arguments[0]));
        seeds.writeControlProtocol();
        seeds.writeListener();
        seeds.writeTcpTransport();
    }

    private void writeControlProtocol() throws IOException {
        Class<?> target = ControlProtocolFuzzTest.class;
        Fields hello = PeerDescription.describe(hello());
        write(target, "hello", bytes(0, 255, control(ControlFrame.Type.HELLO, hello)));
        Fields welcome = PeerDescription.describe(hello()).put(Tag.ATTACH_SECRET, SESSION);
        write(
                target,
                "welcome-and-goodbye-byte-by-byte",
                bytes(
                        0,
                        0,
                        control(ControlFrame.Type.WELCOME, welcome),
                        control(ControlFrame.Type.GOODBYE, new Fields())));
        Fields ready = new Fields().put(Tag.TRANSPORTS, 1, Offer.TCP_BIT);
        Fields attach = new Fields().put(Tag.SESSION, SESSION).put(Tag.PROOF, new byte[Hmac.BYTES]);
        write(
                target,
                "attach-and-ready",
                bytes(0, 6, control(ControlFrame.Type.ATTACH, attach), control(ControlFrame.Type.READY, ready)));
        Fields refusal = new Fields().put(Tag.REASON, "too many \u00fcber all").put(Tag.REFUSAL, "BUSY");
        write(target, "refusal", bytes(0, 9, control(ControlFrame.Type.REFUSE, refusal)));
        write(target, "unknown-type", bytes(0, 30, control(ControlFrame.Type.UNKNOWN, hello)));
        write(target, "private-data", bytes(1, PrivateHello.encode(hello)));
        write(target, "rejection", bytes(2, PrivateHello.encodeRefusal(true, "no room at all")));
        write(target, "region", bytes(3, region()));
        write(target, "announcement", bytes(3, PeerFrames.frame(FrameHeader.ANNOUNCEMENT, 1, 0, 16, announcement())));
    }

    private void writeListener() throws IOException {
        Class<?> target = ListenerFuzzTest.class;
        byte[] message = PeerFrames.frame(FrameHeader.MESSAGE, 1, 0, 16, new byte[] {1, 2, 3});
        byte[] end = PeerFrames.frame(FrameHeader.END, 2, 0, 16, new byte[0]);
        write(target, "channel", bytes(0, 5, 0, 0, 1, 0, 7, 0, 2, 0, 8, 7, 1, 3, message.length, message, 8, 8, 8));
        write(
                target,
                "channel-that-closes",
                bytes(
                        0,
                        5,
                        0,
                        0,
                        1,
                        0,
                        7,
                        0,
                        2,
                        0,
                        8,
                        7,
                        1,
                        3,
                        message.length,
                        message,
                        8,
                        3,
                        end.length,
                        end,
                        8,
                        7,
                        0,
                        11,
                        8));
        write(target, "two-channels", bytes(0, 5, 0, 0, 1, 0, 7, 0, 2, 0, 6, 0, 6, 0, 0, 1, 0, 7, 2, 2, 0, 8, 8));
        write(target, "wrong-secret", bytes(0, 5, 0, 0, 1, 1, 8));
        write(target, "goes-away", bytes(0, 5, 0, 0, 8, 10, 1));
        write(target, "another-protocol", bytes(3, 18, "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        byte[] hello = control(ControlFrame.Type.HELLO, PeerDescription.describe(hello()));
        write(
                target,
                "hello-in-two-parts",
                bytes(
                        3,
                        20,
                        Arrays.copyOf(hello, 20),
                        8,
                        3,
                        hello.length - 20,
                        Arrays.copyOfRange(hello, 20, hello.length),
                        8,
                        2,
                        0));
        write(target, "same-session-twice", bytes(0, 5, 0, 0, 8, 6, 0, 5, 0, 0, 8));
    }

    private void writeTcpTransport() throws IOException {
        Class<?> target = TcpTransportFuzzTest.class;
        byte[] message = bytes(0, 0, 5, "hello".getBytes(StandardCharsets.US_ASCII), 0, 0, 0);
        byte[] end = bytes(0, 5, 0, 0, 0, 0);
        byte[] region = bytes(2, 0, 1, 0, 0, 0, 9);
        write(target, "messages", bytes(message, message, 9, 7, message, 8, 10, 8, 30, 9, end, 9));
        write(target, "kept-and-answered", bytes(6, 10, 6, 11, message, message, 9, 7, 6, 12, message, 9, 7));
        write(target, "fetched-message", bytes(1, 1, 0, 7, 0, 0, 9, 7, 4, 1, 1, 1, 65, 9, message, 9, end, 9));
        write(
                target,
                "operations-in-regions",
                bytes(
                        operation(0, 0, 16, 64),
                        operation(1, 0, 0, 8),
                        operation(2, 1, 0, 1024),
                        operation(3, 0, 8, 8),
                        9,
                        operation(4, 0, 16, 8),
                        7,
                        9));
        write(
                target,
                "own-operations",
                bytes(
                        region,
                        own(4, 100),
                        own(6, 64),
                        own(8, 0),
                        own(5, 8),
                        9,
                        7,
                        answer(0, 1, 0),
                        answer(1, 2, 64),
                        answer(2, 3, 0),
                        answer(0, 4, 0),
                        9));
        write(
                target,
                "own-messages",
                bytes(own(0, 10), own(1, 300), 9, 7, message, 9, 7, operation(2, 0, 0, 16), 9, 0, 2, 0, 0, 0, 0, 9));
        write(target, "refused-operation", bytes(region, own(4, 100), own(6, 64), 9, 7, answer(3, 1, 0), 9));
        write(
                target,
                "region-revoked-during-a-write",
                bytes(own(2, 0), 9, 7, operation(0, 2, 0, 100), 8, 90, own(2, 0), 9));
        write(target, "read-passed-over", bytes(region, own(6, 64), own(4, 64), 9, 7, answer(0, 2, 0), 9));
        write(target, "read-answered-as-atomic", bytes(region, own(6, 8), 9, 7, answer(2, 1, 0), 9));
        write(
                target,
                "more-waits-than-receives",
                bytes(repeated(30, bytes(1, 1, 0, 7, 0, 0)), 9, repeated(30, operation(1, 0, 0, 1)), 9));
        write(target, "closes", bytes(own(0, 10), 9, 7, 6, 13, 9, 7, 0, 2, 0, 0, 0, 0, 9, 7));
    }

    private static byte[] repeated(int times, byte[] step) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(step);
        }
        return all.toByteArray();
    }

    private static byte[] operation(int kind, int region, int offset, int length) {
        return bytes(3, kind, region, offset >> 8, offset, length >> 8, length, 0, 0);
    }

    private static byte[] answer(int kind, int number, int length) {
        return kind == 1 ? bytes(4, kind, number, length >> 8, length) : bytes(4, kind, number);
    }

    private static byte[] own(int action, int length) {
        return bytes(6, action, length >> 8, length);
    }

    private static Fields hello() {
        return new Fields()
                .put(Tag.SESSION, SESSION)
                .put(Tag.EPOCH, 8, 0)
                .put(Tag.TRANSPORTS, 1, Offer.TCP_BIT | Offer.RDMA_BIT)
                .put(Tag.RECEIVE_BYTES, 4, 8192)
                .put(Tag.RECEIVE_DEPTH, 4, 128)
                .put(Tag.RECEIVE_CREDIT, 4, 128)
                .put(Tag.MAX_MESSAGE_BYTES, 8, 1 << 20);
    }

    private static byte[] control(ControlFrame.Type type, Fields fields) {
        return new ControlFrame(type, fields.encode()).encode();
    }

    private static byte[] region() {
        MemorySegment memory = MemorySegment.ofArray(new byte[RegionNotice.MAX_BYTES]);
        EnumSet<RegionRight> rights = EnumSet.of(RegionRight.READ, RegionRight.ATOMIC);
        int length = new RegionNotice("orders", 4096, 512, 77, rights).write(memory);
        return memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] announcement() {
        MemorySegment memory = MemorySegment.ofArray(new byte[Announcement.BYTES]);
        Announcement.put(memory, 4096, 10_000, 77);
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Numbers, of which the lowest eight bits count, and arrays. */
    private static byte[] bytes(Object... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object part : parts) {
            if (part instanceof byte[] array) {
                all.writeBytes(array);
            } else {
                all.write((Integer) part);
            }
        }
        return all.toByteArray();
    }

    private void write(Class<?> target, String name, byte[] seed) throws IOException {
        Path directory = Files.createDirectories(resources.resolve(target.getSimpleName() + "Inputs"));
        Files.write(directory.resolve(name), seed);
    }
}
