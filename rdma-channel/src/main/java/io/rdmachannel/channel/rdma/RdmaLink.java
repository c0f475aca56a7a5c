// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.WorkCompletionStatus;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A link that is a reliable queue pair. Its completions come from the {@link OpenDevice}, which many links share.
 * Belongs to the event loop's thread.
 */
final class RdmaLink implements Link {
    private final OpenDevice device;
    private final Endpoint endpoint;
    private final SendRing sends;
    private final ReceiveSide receives;
    private final LinkEvents events;
    private final int completions;
    private final Set<RegionExposure> exposures = ConcurrentHashMap.newKeySet();

    /** After it nothing is told: the failure has been, or the link is closed. */
    private boolean over;

    private boolean closed;
    private boolean markerReturned;
    /** A failure that is told at the next opportunity, since it was found while posting. */
    private ChannelException untold;

    private long flushed;
    private long firstFlushedPost;

    RdmaLink(OpenDevice device, Endpoint endpoint, LinkEvents events, int completions) {
        this.device = device;
        this.endpoint = endpoint;
        this.sends = endpoint.sends();
        this.receives = endpoint.receives();
        this.events = events;
        this.completions = completions;
    }

    @Override
    public Transport transport() {
        return Transport.RDMA;
    }

    @Override
    public int room() {
        return sends.room();
    }

    @Override
    public long pieceBytes() {
        return device.pieceBytes();
    }

    @Override
    public void supply(Lease receive) {
        if (isUsable()) {
            receives.supply(receive);
            if (receives.isChainFull()) {
                submitReceives();
            }
        }
    }

    @Override
    public long post(Lease frame, long payloadBytes) {
        return posted(sends.frame(frame, payloadBytes));
    }

    @Override
    public int inlineBytes() {
        return sends.inlineBytes();
    }

    @Override
    public long postInline(
            int type, long sequence, long acknowledged, long granted, MemorySegment memory, long offset, int length) {
        long frame = sends.beginFrame(memory, offset, length);
        FrameHeader.put(frame, type, length, sequence, acknowledged, granted);
        return posted(sends.commit());
    }

    @Override
    public void changeInline(long acknowledged, long granted) {
        sends.changeLast(acknowledged, granted);
    }

    @Override
    public boolean isChangeable(long post) {
        return sends.isLastStaged(post);
    }

    @Override
    public void changed(Lease frame) {
        sends.changeLast(frame);
    }

    @Override
    public long write(RegisteredBuffer source, long offset, long length, long address, int key) {
        return posted(sends.transfer(WorkRequestOpcode.RDMA_WRITE, source, offset, length)
                .remote(address, key)
                .commit());
    }

    @Override
    public long writeWithImmediate(
            RegisteredBuffer source, long offset, long length, long address, int key, int immediate) {
        return posted(sends.transfer(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, source, offset, length)
                .remote(address, key)
                .immediate(immediate)
                .commit());
    }

    @Override
    public long read(RegisteredBuffer target, long offset, long length, long address, int key) {
        return posted(sends.transfer(WorkRequestOpcode.RDMA_READ, target, offset, length)
                .remote(address, key)
                .commit());
    }

    @Override
    public long compareAndSwap(RegisteredBuffer result, long address, int key, long expected, long replacement) {
        return posted(sends.compareAndSwap(result, address, key, expected, replacement));
    }

    @Override
    public long fetchAndAdd(RegisteredBuffer result, long address, int key, long addend) {
        return posted(sends.fetchAndAdd(result, address, key, addend));
    }

    /** A write of nothing, which needs no key and no receive of the peer. */
    @Override
    public long probe() {
        // What waits already will do when there is no room for more.
        return sends.room() > 0 ? posted(sends.probe()) : sends.posted();
    }

    /** Receives go first: what is posted may tell the peer of them. */
    @Override
    public void flush() {
        if (!isUsable()) {
            return;
        }
        if (receives.hasStaged() && !submitReceives()) {
            return;
        }
        if (sends.hasStaged()) {
            int result = sends.submit();
            if (result != PostResult.POSTED && result != PostResult.QUEUE_FULL) {
                fail("a post", result);
            }
        }
    }

    @Override
    public int offer(Lease message) {
        return message.remoteKey();
    }

    @Override
    public long offeredAddress(Lease message) {
        return message.address();
    }

    /** The pool's memory stays registered for as long as there are links, so there is nothing to take back. */
    @Override
    public void withdraw(int key) {}

    @Override
    public Exposure expose(MemorySegment memory, Set<RegionRight> rights) {
        if (closed) {
            throw new IllegalStateException(endpoint + " is closed, so nothing can be exposed to its peer");
        }
        RegionExposure exposure = new RegionExposure(device.domain(), memory, rights, exposures::remove);
        exposures.add(exposure);
        return exposure;
    }

    @Override
    public int poll() {
        flush();
        return settle();
    }

    /**
     * Moves the queue pair to ERROR, waits until all its work has come back, at most 5 s, and destroys it.
     *
     * @throws io.rdmachannel.verbs.VerbsException if the device refuses; close can be repeated
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        over = true;
        boolean drained = new LinkDrain(device, this).run();
        endpoint.queuePair().close();
        closed = true;
        device.end(this, completions, drained);
        List.copyOf(exposures).forEach(RegionExposure::close);
    }

    /**
     * Takes a completion of this link's queue pair.
     *
     * @param id what the work request carried
     * @param status as the device reported it, 0 for success
     * @param extent the bytes that arrived, or the vendor's error when it failed
     * @param withImmediate whether a receive came with immediate data
     * @param immediate the immediate data
     */
    void completed(long id, int status, long extent, boolean withImmediate, int immediate) {
        boolean isReceive = WorkRequestId.isReceive(id);
        if (WorkRequestId.tag(id) != (isReceive ? receives.tag() : endpoint.tag())) {
            return;
        }
        long number = WorkRequestId.number(id);
        if (isReceive) {
            boolean isNext = receives.isNext((int) number);
            Lease lease = receives.take((int) number);
            if (status != 0) {
                receives.discard(lease);
                broken(status, extent, 0);
            } else if (isNext) {
                received(lease, extent, withImmediate, immediate);
            } else {
                receives.discard(lease);
                tell(CompletionFailure.ofLostReceive(endpoint.toString()), 0);
            }
        } else if (number == WorkRequestId.MARKER) {
            markerReturned = true;
        } else if (status == 0) {
            ended(number);
        } else {
            broken(status, extent, number);
        }
    }

    /** Tells a failure that has waited for better knowledge; there was none. */
    int settle() {
        if (over || untold == null && flushed == 0) {
            return 0;
        }
        if (firstFlushedPost > 1) {
            ended(firstFlushedPost - 1);
        }
        tell(untold != null ? untold : CompletionFailure.withoutCause(endpoint.toString()), 0);
        return 1;
    }

    /** Tells that the completion queue has failed. */
    int queueFailed(int result) {
        boolean news = !over;
        tell(CompletionFailure.ofQueue(endpoint.toString(), result), 0);
        return news ? 1 : 0;
    }

    /** The device has told that this link is broken; a completion that is in the queue may tell better why. */
    void eventTold(Function<String, ChannelException> failure) {
        if (!over && untold == null) {
            untold = failure.apply(endpoint.toString());
            device.expectSettling();
        }
    }

    void portDown() {
        if (isUsable()) {
            events.portDown();
        }
    }

    Endpoint endpoint() {
        return endpoint;
    }

    int number() {
        return endpoint.queuePair().number();
    }

    boolean isDrained() {
        return markerReturned && receives.isDrained();
    }

    @Override
    public String path() {
        return device + ", queue pair " + number();
    }

    @Override
    public long flushed() {
        return flushed;
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }

    private boolean isUsable() {
        return !over && untold == null;
    }

    private long posted(long number) {
        if (sends.isChainFull()) {
            flush();
        }
        return number;
    }

    private boolean submitReceives() {
        int result = receives.submit();
        if (result != PostResult.POSTED && result != PostResult.QUEUE_FULL) {
            fail("a receive", result);
        }
        return result == PostResult.POSTED;
    }

    private void fail(String what, int result) {
        untold = new ChannelException(
                ChannelException.Reason.TRANSPORT,
                what + " of " + endpoint + " was refused: " + PostResult.describe(result));
        device.expectSettling();
        device.wakeUp();
    }

    private void received(Lease lease, long bytes, boolean withImmediate, int immediate) {
        if (over) {
            receives.discard(lease);
        } else if (withImmediate) {
            events.immediateArrived(lease, immediate, bytes);
        } else if (bytes >= FrameHeader.BYTES) {
            events.frameArrived(lease, bytes - FrameHeader.BYTES);
        } else {
            receives.discard(lease);
            tell(
                    new ChannelException(
                            ChannelException.Reason.PROTOCOL,
                            "a frame of " + bytes + " bytes arrived on " + endpoint + "; its header alone has "
                                    + FrameHeader.BYTES + ". The peer is something else."),
                    0);
        }
    }

    private void ended(long number) {
        if (sends.end(number) && !over) {
            events.postsEnded(number);
            if (sends.isStalled()) {
                flush();
            }
        }
    }

    /** The first error is the cause; what is flushed is its consequence, unless nothing else comes. */
    private void broken(int rawStatus, long vendorError, long post) {
        boolean isFlush = WorkCompletionStatus.of(rawStatus) == WorkCompletionStatus.FLUSHED;
        flushed += isFlush ? 1 : 0;
        if (isFlush && !over) {
            firstFlushedPost = firstFlushedPost == 0 ? post : firstFlushedPost;
            device.expectSettling();
        } else if (!over) {
            // On a reliable connection nothing fails before what was posted earlier has succeeded.
            ended(post - 1);
            tell(CompletionFailure.of(rawStatus, vendorError, work(post) + " of " + endpoint), post);
        }
    }

    private static String work(long post) {
        return post == 0 ? "a receive" : "post " + post;
    }

    private void tell(ChannelException failure, long culprit) {
        if (!over) {
            over = true;
            events.failed(failure, culprit);
        }
    }
}
