// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.mempool.Lease;
import java.util.concurrent.CompletableFuture;

/**
 * A link that may take the place of a channel's own: first it has to prove that it carries something. The event loop's
 * thread only, but for {@link #proof}.
 */
final class Candidate implements LinkEvents {
    private final ChannelSetup setup;
    private final CompletableFuture<Void> proof = new CompletableFuture<>();
    private Link link;
    private long probe;
    /** Who is told from {@link #adopt} on. */
    private LinkEvents owner;

    Candidate(ChannelSetup setup) {
        this.setup = setup;
    }

    /** Begins, and has the link probed. */
    void begin() {
        link = setup.link().begin(this);
        probe = link.probe();
        link.flush();
        if (probe == 0) {
            proof.complete(null);
        }
    }

    /** Completes when the link has carried something; any thread. */
    CompletableFuture<Void> proof() {
        return proof;
    }

    ChannelSetup setup() {
        return setup;
    }

    /** From now on it is the channel's. */
    Link adopt(LinkEvents events) {
        owner = events;
        return link;
    }

    /** Nothing comes of it, unless it is the channel's. */
    void abandon() {
        if (owner != null) {
            return;
        }
        if (link == null) {
            setup.undo();
            return;
        }
        link.close();
        setup.receives().close();
        setup.control().close();
    }

    @Override
    public void frameArrived(Lease receive, long payloadBytes) {
        if (owner != null) {
            owner.frameArrived(receive, payloadBytes);
        } else {
            tooEarly(receive);
        }
    }

    @Override
    public void immediateArrived(Lease receive, int immediate, long length) {
        if (owner != null) {
            owner.immediateArrived(receive, immediate, length);
        } else {
            tooEarly(receive);
        }
    }

    @Override
    public void postsEnded(long upTo) {
        if (owner != null) {
            owner.postsEnded(upTo);
        } else if (upTo >= probe) {
            proof.complete(null);
        }
    }

    @Override
    public void portDown() {
        if (owner != null) {
            owner.portDown();
        }
    }

    @Override
    public void failed(ChannelException failure, long culprit) {
        if (owner != null) {
            owner.failed(failure, culprit);
        } else {
            proof.completeExceptionally(failure);
        }
    }

    /** The accepting side does not send before the connecting one has. */
    private void tooEarly(Lease receive) {
        setup.receives().used(receive);
        setup.receives().drop(receive);
        proof.completeExceptionally(
                new ChannelException(Reason.PROTOCOL, "the peer sends before both sides have agreed to go on"));
    }
}
