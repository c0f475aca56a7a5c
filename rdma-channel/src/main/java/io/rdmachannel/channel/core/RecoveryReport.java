// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.events.RecoveryEvent;
import io.rdmachannel.channel.events.RecoveryEvent.Phases;

/** Takes the times of one recovery, for the Flight Recorder. The event loop's thread only. */
final class RecoveryReport {
    private final RecoveryEvent event = new RecoveryEvent();
    private final long began = System.nanoTime();
    private long agreed;

    RecoveryReport() {
        event.begin();
    }

    /** The two sides have agreed on another connection. */
    void agreed() {
        agreed = System.nanoTime();
    }

    void end(ChannelCore channel, ChannelException cause, int attempts, ChannelState outcome) {
        event.end();
        long now = System.nanoTime();
        Phases phases = new Phases(agreed == 0 ? 0 : agreed - began, agreed == 0 ? 0 : now - agreed);
        event.finish(channel, channel.setup().control().session(), cause.getMessage(), attempts, phases, outcome);
    }
}
