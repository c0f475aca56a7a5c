// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A link over one TCP connection. What an adapter would do by itself, {@link TcpResponder} does. */
final class TcpLink implements Link {
    private static final long PIECE_BYTES = 64L << 20;
    private static final int READS_A_POLL = 4;

    private final TcpSource source;
    private final SocketChannel socket;
    private final LinkEvents events;
    private final Staging staging;
    private final TcpOutput output;
    private final TcpRequests requests;
    private final TcpResponder responder;
    private final TcpDispatcher dispatcher;
    private final TcpInput input;
    private final ReceiveRing receives;
    private final int capacity;
    private SelectionKey key;
    private boolean over;

    TcpLink(TcpSource source, SocketChannel socket, ReceiveRing receives, int capacity, LinkEvents events) {
        this.source = source;
        this.socket = socket;
        this.events = events;
        this.capacity = capacity;
        this.receives = receives;
        this.staging = source.staging();
        this.output = new TcpOutput(staging, capacity);
        this.requests = new TcpRequests(output, capacity);
        this.responder = new TcpResponder(output);
        this.dispatcher = new TcpDispatcher(receives, requests, responder, events);
        this.input = new TcpInput(dispatcher);
    }

    @Override
    public Transport transport() {
        return Transport.TCP;
    }

    @Override
    public int room() {
        return (int) (capacity - requests.outstanding());
    }

    @Override
    public long pieceBytes() {
        return PIECE_BYTES;
    }

    @Override
    public void supply(Lease receive) {
        receives.add(receive);
    }

    @Override
    public long post(Lease frame, long payloadBytes) {
        output.addFrame(frame.headroom(), frame.segment(), payloadBytes);
        return requests.frame();
    }

    @Override
    public boolean isChangeable(long post) {
        return post == requests.posted() && output.isLastFrameWhole();
    }

    /** Frames are not copied before they go. */
    @Override
    public void changed(Lease frame) {}

    @Override
    public long write(RegisteredBuffer from, long offset, long length, long address, int remoteKey) {
        return requests.write(from.segment(), offset, length, address, remoteKey);
    }

    @Override
    public long writeWithImmediate(
            RegisteredBuffer from, long offset, long length, long address, int remoteKey, int immediate) {
        return requests.writeWithImmediate(from.segment(), offset, length, address, remoteKey, immediate);
    }

    @Override
    public long read(RegisteredBuffer target, long offset, long length, long address, int remoteKey) {
        return requests.read(target.segment(), offset, length, address, remoteKey);
    }

    @Override
    public long compareAndSwap(RegisteredBuffer result, long address, int remoteKey, long expected, long replacement) {
        return requests.atomic(Operation.COMPARE_AND_SWAP, result.segment(), address, remoteKey, expected, replacement);
    }

    @Override
    public long fetchAndAdd(RegisteredBuffer result, long address, int remoteKey, long addend) {
        return requests.atomic(Operation.FETCH_AND_ADD, result.segment(), address, remoteKey, addend, 0);
    }

    @Override
    public long probe() {
        return 0;
    }

    @Override
    public void flush() {
        if (over || output.isEmpty()) {
            return;
        }
        try {
            output.flush(socket);
        } catch (IOException broken) {
            fail(new ChannelException(
                    Reason.PEER_GONE, "the data connection broke while sending: " + broken.getMessage(), broken));
        } catch (IllegalStateException gone) {
            fail(new ChannelException(
                    Reason.TRANSPORT, "memory that was being sent is no longer there: " + gone.getMessage(), gone));
        }
        source.interest(key, output.isBlocked());
    }

    @Override
    public int offer(Lease message) {
        return responder.keys().addReadable(message.segment());
    }

    @Override
    public long offeredAddress(Lease message) {
        return message.address();
    }

    @Override
    public void withdraw(int offered) {
        responder.keys().remove(offered);
    }

    @Override
    public Exposure expose(MemorySegment memory, Set<RegionRight> rights) {
        int exposed = responder.keys().add(memory, rights);
        return new TcpExposure(memory.address(), exposed, responder.keys());
    }

    @Override
    public int poll() {
        if (over) {
            return 0;
        }
        int count = 0;
        try {
            count = receive();
        } catch (IOException broken) {
            fail(new ChannelException(Reason.PEER_GONE, "the data connection broke: " + broken.getMessage(), broken));
        } catch (ProtocolException wrong) {
            fail(new ChannelException(
                    Reason.PROTOCOL, "the peer does not keep to the protocol: " + wrong.getMessage()));
        } catch (IllegalStateException gone) {
            fail(new ChannelException(
                    Reason.TRANSPORT,
                    "memory that the peer was using is no longer there: " + gone.getMessage()
                            + "; close its ExposedRegion before its arena",
                    gone));
        }
        if (!over) {
            responder.answer();
            // What a handler has posted goes at the end of the poll, with what is to be told by then.
            if (output.hasAnswers() || output.isBlocked()) {
                flush();
            }
        }
        return count + tellEnded();
    }

    @Override
    public void close() {
        over = true;
        source.remove(this);
        Lease unfinished = dispatcher.takeUnfinished();
        if (unfinished != null && source.commonReceives() != null) {
            source.commonReceives().recycle(unfinished);
        }
        try {
            socket.close();
        } catch (IOException unlikely) {
            source.report(unlikely);
        }
    }

    /** Begins to be polled; in the loop's thread. */
    void begin(SelectionKey registered) {
        key = registered;
    }

    SocketChannel socket() {
        return socket;
    }

    private int receive() throws IOException {
        int frames = 0;
        for (int i = 0; i < READS_A_POLL && !over; i++) {
            int count = socket.read(staging.input());
            if (count < 0) {
                fail(new ChannelException(
                        Reason.PEER_GONE, "the peer has ended the data connection without a last frame"));
                return frames;
            }
            frames += input.take(staging.inputSegment(), count);
            if (requests.refusal() != null) {
                tellEnded();
                fail(requests.refusal(), requests.refusedPost());
            }
            if (count < staging.inputSegment().byteSize()) {
                return frames;
            }
        }
        return frames;
    }

    private int tellEnded() {
        if (over || !requests.advance(output.postsSent())) {
            return 0;
        }
        events.postsEnded(requests.ended());
        return 1;
    }

    private void fail(ChannelException cause) {
        fail(cause, 0);
    }

    private void fail(ChannelException cause, long culprit) {
        if (!over) {
            over = true;
            events.failed(cause, culprit);
        }
    }

    /** One region of this side. */
    private record TcpExposure(long address, int key, KeyTable keys) implements Exposure {
        @Override
        public void close() {
            keys.remove(key);
        }

        /** Without the key, which is a capability. */
        @Override
        public String toString() {
            return "exposure over TCP";
        }
    }
}
