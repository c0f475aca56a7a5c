// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.mempool.Lease;

/** Writes into the server's region, each checked by the server; holds the buffer that they come from. */
final class DemoWrites implements AutoCloseable {
    private final DemoTraffic traffic;
    private final RemoteRegion region;
    private final Lease source;
    private long number;

    DemoWrites(DemoTraffic traffic, RemoteRegion region) {
        this.traffic = traffic;
        this.region = region;
        this.source = traffic.channel().acquire(DemoSession.REGION_BYTES);
        if (source == null) {
            throw new ExampleException("the channel's pool has no buffer of " + DemoSession.REGION_BYTES + " bytes");
        }
    }

    /**
     * Writes, waits until the bytes are in the server's memory, and has them checked; gives the writing's
     * nanoseconds.
     */
    long write(int bytes) {
        long token = ++number;
        Pattern.fill(source.segment(), 0, bytes, token);
        long begin = System.nanoTime();
        while (!traffic.isTaken(traffic.channel().write(source, 0, region, 0, bytes, token))) {
            Thread.onSpinWait();
        }
        traffic.await("the end of a write", () -> traffic.peer().hasEnded(token));
        long nanos = System.nanoTime() - begin;
        if (traffic.peer().lastOutcome() != Outcome.SUCCESS) {
            throw new ExampleException("a write ended with " + traffic.peer().lastOutcome());
        }
        traffic.check(bytes, token);
        return nanos;
    }

    @Override
    public void close() {
        source.release();
    }
}
