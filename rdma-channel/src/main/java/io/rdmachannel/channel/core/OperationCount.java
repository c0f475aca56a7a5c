// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.events.SlowCompletionEvent.Kind;

/**
 * Counts the one-sided operations that a channel has accepted, and has one at a time watched. The event loop's thread
 * only.
 *
 * @param counters the channel's counts
 * @param watched what stands in for completions
 */
record OperationCount(Counters counters, WatchedCompletion watched) {
    /** Counts a write; gives what is to be told of its end. */
    Completion write(long bytes, Completion completion) {
        wrote(bytes);
        return watched.over(completion, Kind.WRITE, bytes);
    }

    /** Counts a read; gives what is to be told of its end. */
    Completion read(long bytes, Completion completion) {
        haveRead(bytes);
        return watched.over(completion, Kind.READ, bytes);
    }

    /** Counts an atomic; gives what is to be told of its end. */
    Completion atomic(Completion completion) {
        counters.count(ChannelCounter.ATOMIC_OPERATIONS);
        return watched.over(completion, Kind.ATOMIC, Long.BYTES);
    }

    /** Counts a write of several buffers. */
    void wrote(long bytes) {
        counters.count(ChannelCounter.WRITE_OPERATIONS);
        counters.add(ChannelCounter.WRITE_BYTES, bytes);
    }

    /** Counts a read into several buffers. */
    void haveRead(long bytes) {
        counters.count(ChannelCounter.READ_OPERATIONS);
        counters.add(ChannelCounter.READ_BYTES, bytes);
    }
}
