// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.mempool.Lease;

/** The fetching of one long message, in pieces. One at a time for each channel. */
final class Fetch {
    private Lease target;
    private long address;
    private long length;
    private int key;
    private long posted;
    private long lastPost;

    boolean isActive() {
        return target != null;
    }

    Lease target() {
        return target;
    }

    long length() {
        return length;
    }

    void begin(Lease into, long from, long bytes, int permit) {
        target = into;
        address = from;
        length = bytes;
        key = permit;
        posted = 0;
        lastPost = 0;
    }

    /** Posts as many pieces as there is room for; says whether all are posted. */
    boolean post(Link link, int keepRoom) {
        while (posted < length && link.room() > keepRoom) {
            long piece = Math.min(link.pieceBytes(), length - posted);
            lastPost = link.read(target, posted, piece, address + posted, key);
            posted += piece;
        }
        return posted == length;
    }

    boolean isDone(long postsEnded) {
        return target != null && posted == length && lastPost <= postsEnded;
    }

    /** Ends the fetching; the message is the caller's. */
    Lease end() {
        Lease done = target;
        target = null;
        return done;
    }
}
