// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.events.SlowCompletionEvent;
import io.rdmachannel.channel.events.SlowCompletionEvent.Kind;

/**
 * Stands in for the completion of one message or operation at a time, to tell when it takes long. While no recording
 * asks for that it stands in for none, and the object and its event are used again for ever, so that nothing is
 * allocated. The event loop's thread only.
 */
final class WatchedCompletion implements Completion {
    private final ChannelCore channel;
    private final SlowCompletionEvent event = new SlowCompletionEvent();
    private Completion watched;
    private Kind kind;
    private long bytes;

    WatchedCompletion(ChannelCore channel) {
        this.channel = channel;
    }

    /** Gives what is to be told of the end: this when it is watched, else what was given. */
    Completion over(Completion completion, Kind what, long size) {
        return watched == null && event.isEnabled() ? watch(completion, what, size) : completion;
    }

    /** What was to be watched was not accepted. */
    void abandon(Completion completion) {
        if (completion == this) {
            watched = null;
        }
    }

    @Override
    public void ended(long token, Outcome outcome) {
        Completion whom = watched;
        watched = null;
        event.finish(channel, kind, bytes, outcome);
        whom.ended(token, outcome);
    }

    private Completion watch(Completion completion, Kind what, long size) {
        watched = completion;
        kind = what;
        bytes = size;
        event.begin();
        return this;
    }
}
