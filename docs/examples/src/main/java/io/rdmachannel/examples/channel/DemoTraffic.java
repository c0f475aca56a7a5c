// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Wait;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Messages of the client, each with its answer. */
final class DemoTraffic {
    private final RdmaChannel channel;
    private final DemoPeer peer;
    private final Duration limit;
    private final MemorySegment message = Arena.ofAuto().allocate(DemoMessage.BYTES, Long.BYTES);
    private long seed;

    DemoTraffic(RdmaChannel channel, DemoPeer peer, Duration limit) {
        this.channel = channel;
        this.peer = peer;
        this.limit = limit;
    }

    /** Sends a message and waits for its echo; gives the nanoseconds. */
    long echo(int bytes) {
        DemoMessage.putEcho(message, ++seed);
        long begin = System.nanoTime();
        exchange();
        long nanos = System.nanoTime() - begin;
        if (!DemoMessage.isEchoOf(peer.answer(), seed)) {
            throw new ExampleException("echo " + seed + " of " + bytes + " bytes is not what was sent");
        }
        return nanos;
    }

    /** Has the server compare its memory with the pattern of a seed. */
    void check(int length, long patternSeed) {
        DemoMessage.putCheck(message, length, patternSeed);
        exchange();
        MemorySegment verdict = peer.answer();
        if (DemoMessage.kind(verdict) != DemoMessage.VERDICT || DemoMessage.mismatch(verdict) != -1) {
            throw new ExampleException("the server's memory is not what was written, from byte "
                    + DemoMessage.mismatch(verdict) + " of " + length);
        }
    }

    RdmaChannel channel() {
        return channel;
    }

    DemoPeer peer() {
        return peer;
    }

    /** Says whether something was taken; polls when there was no room, and throws when there will never be. */
    boolean isTaken(Submission answer) {
        if (answer.isAccepted()) {
            return true;
        }
        if (!answer.isBackPressure()) {
            throw new ExampleException(answer.meaning()
                    + channel.failure()
                            .map(failure -> ": " + failure.getMessage())
                            .orElse(""));
        }
        channel.poll();
        return false;
    }

    /** Polls until something has happened, or the channel is over. */
    void await(String what, BooleanSupplier happened) {
        Wait.until(
                channel.poller(),
                limit,
                what,
                () -> happened.getAsBoolean() || channel.state().isOver());
        if (!happened.getAsBoolean()) {
            throw new ExampleException("the channel ended before " + what
                    + channel.failure()
                            .map(failure -> ": " + failure.getMessage())
                            .orElse(""));
        }
    }

    private void exchange() {
        long before = peer.answers();
        while (!isTaken(channel.send(message, 0, DemoMessage.BYTES))) {
            Thread.onSpinWait();
        }
        await("the answer", () -> peer.answers() > before);
    }
}
