// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.mempool.Lease;

/**
 * What a link tells its channel, in the event loop's thread and in the order in which it happened. After
 * {@link #failed} it tells nothing more.
 */
public interface LinkEvents {
    /**
     * A frame has arrived.
     *
     * @param receive the lease that was supplied for it, with the header in its headroom; the link forgets it
     * @param payloadBytes how many bytes lie in its payload
     */
    void frameArrived(Lease receive, long payloadBytes);

    /**
     * The peer has written with immediate.
     *
     * @param receive the lease that it used up, with nothing in it; the link forgets it
     * @param immediate what the peer says
     * @param length how many bytes it wrote
     */
    void immediateArrived(Lease receive, int immediate, long length);

    /**
     * Posts have ended well.
     *
     * @param upTo the last one; all before it too
     */
    void postsEnded(long upTo);

    /** The port that the link goes through is down, which may be over soon; the link works on if it is. */
    void portDown();

    /**
     * The link is broken. What had not ended may have happened or not.
     *
     * @param failure why
     * @param culprit the number of the post that failed, or 0 when it was none
     */
    void failed(ChannelException failure, long culprit);
}
