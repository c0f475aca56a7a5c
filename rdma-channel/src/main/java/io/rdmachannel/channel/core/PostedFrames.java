// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.mempool.Lease;

/** Frames that need no acknowledgement: their leases go back when their posts have ended. */
final class PostedFrames {
    private final Lease[] leases;
    private final long[] posts;
    private final int mask;
    private long added;
    private long released;

    PostedFrames(int capacity) {
        int size = Rings.size(capacity);
        this.mask = size - 1;
        this.leases = new Lease[size];
        this.posts = new long[size];
    }

    boolean hasRoom() {
        return added - released <= mask;
    }

    void add(Lease lease, long post) {
        int index = (int) added++ & mask;
        leases[index] = lease;
        posts[index] = post;
    }

    /** The link is closed; posts of another one are numbered anew. */
    void releaseAll() {
        release(Long.MAX_VALUE);
    }

    void release(long postsEnded) {
        while (released < added && posts[(int) released & mask] <= postsEnded) {
            int index = (int) released++ & mask;
            leases[index].release();
            leases[index] = null;
        }
    }
}
