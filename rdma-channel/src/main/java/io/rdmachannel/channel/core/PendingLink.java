// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.mempool.Lease;

/**
 * A link that is being made, in the thread of a handshake: described to the peer, supplied with receives, connected,
 * and then begun in the event loop; or abandoned.
 */
public interface PendingLink {
    /**
     * Says what the peer has to know of this end.
     *
     * @param message the frame's fields, which are added to
     */
    void describe(Fields message);

    /**
     * Gives a receive buffer to the link, before it is connected.
     *
     * @param receive a lease with headroom for a frame header
     */
    void supply(Lease receive);

    /**
     * Connects to the peer's end; frames can arrive from then on.
     *
     * @param peer what the peer's end said of itself
     * @throws io.rdmachannel.channel.ChannelException if that is impossible
     * @throws io.rdmachannel.channel.protocol.ProtocolException if the peer's fields will not do
     */
    void connect(Fields peer);

    /**
     * Hands the link over to the event loop's thread; called by the handshake's thread, as its last use of it.
     *
     * @param owner the event loop's thread
     */
    void handOver(Thread owner);

    /**
     * Begins to tell events; called in the event loop's thread.
     *
     * @param events who is told
     * @return the link
     */
    Link begin(LinkEvents events);

    /** Undoes everything, when nothing comes of the link before it was handed over. Idempotent. */
    void abandon();
}
