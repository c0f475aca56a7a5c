// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.RdmaChannel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One side of the conversation about a test. Its channel belongs to a poller with a thread of its own, which sleeps
 * while traffic is measured. Any thread may send and receive.
 */
final class ControlLink implements ChannelHandler, AutoCloseable {
    private static final byte[] OVER = {};

    private final LinkedBlockingQueue<byte[]> inbox = new LinkedBlockingQueue<>();
    private final Consumer<ControlLink> firstMessage;
    private final String peer;
    private volatile RdmaChannel channel;
    private volatile boolean over;
    private boolean spoken;

    /**
     * Makes a link, for a channel that will have it as its handler.
     *
     * @param peer what the other side is called in messages
     * @param firstMessage told once, in the poller's thread, when the other side has said something
     */
    ControlLink(String peer, Consumer<ControlLink> firstMessage) {
        this.peer = peer;
        this.firstMessage = firstMessage;
    }

    @Override
    public void onMessage(RdmaChannel from, MemorySegment buffer, long offset, long length) {
        channel = from;
        inbox.add(buffer.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
        if (!spoken) {
            spoken = true;
            firstMessage.accept(this);
        }
    }

    @Override
    public void onStateChange(RdmaChannel of, ChannelState before, ChannelState now) {
        channel = of;
        if (!now.isOpen() && !over) {
            over = true;
            inbox.add(OVER);
        }
    }

    /** Says whether the other side is gone. */
    boolean isOver() {
        return over;
    }

    /** Gives the other side's address. */
    String peerAddress() {
        RdmaChannel of = channel;
        return of == null
                ? peer
                : of.peerAddress().getAddress().getHostAddress() + ":"
                        + of.peerAddress().getPort();
    }

    void send(ControlMessage message) {
        channel.sendAsync(MemorySegment.ofArray(message.encode()));
    }

    /**
     * Waits for the next message.
     *
     * @param timeout how long at most
     * @return the message; null at the time limit
     * @throws ToolException if the other side is gone, or does not talk as it should
     */
    ControlMessage receive(Duration timeout) throws InterruptedException {
        byte[] bytes = inbox.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (bytes == OVER) {
            inbox.add(OVER);
            throw new ToolException("the " + peer + " at " + peerAddress() + " has ended the test");
        }
        return bytes == null ? null : ControlMessage.decode(bytes);
    }

    /** Waits for a message that must come. */
    ControlMessage require(Duration timeout) throws InterruptedException {
        ControlMessage message = receive(timeout);
        if (message == null) {
            throw new ToolException("the " + peer + " at " + peerAddress() + " has not answered for "
                    + timeout.toSeconds() + " s; --timeout sets how long is waited");
        }
        return message;
    }

    /** Delivers what was sent, and ends the conversation. */
    @Override
    public void close() {
        if (channel != null) {
            channel.close();
        }
    }
}
