// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.mempool.Lease;
import java.util.ArrayList;
import java.util.List;

/** Remembers what a link has told. What a test wants to do with frames it overrides. */
class RecordingEvents implements LinkEvents {
    final List<String> immediates = new ArrayList<>();
    int frames;
    long ended;
    ChannelException failure;
    long culprit = -1;
    int portsDown;

    @Override
    public void frameArrived(Lease receive, long payloadBytes) {
        requireNotFailed();
        frames++;
    }

    @Override
    public void immediateArrived(Lease receive, int immediate, long length) {
        requireNotFailed();
        immediates.add(immediate + " " + length);
    }

    @Override
    public void postsEnded(long upTo) {
        requireNotFailed();
        if (upTo <= ended) {
            throw new AssertionError("posts ended up to " + upTo + " after " + ended);
        }
        ended = upTo;
    }

    @Override
    public void portDown() {
        portsDown++;
    }

    @Override
    public void failed(ChannelException reason, long number) {
        requireNotFailed();
        failure = reason;
        culprit = number;
    }

    private void requireNotFailed() {
        if (failure != null) {
            throw new AssertionError("something is told after the failure", failure);
        }
    }
}
