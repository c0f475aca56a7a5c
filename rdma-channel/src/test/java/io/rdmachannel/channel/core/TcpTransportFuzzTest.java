// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.rdmachannel.mempool.PoolStats;
import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * What arrives on the data connection of the tcp transport, cut anywhere, at a channel that has regions exposed and
 * operations outstanding. The input is a script: each step a byte, and what the step takes. Behind its end the peer
 * sends what is left, and is gone.
 */
class TcpTransportFuzzTest {
    private static final FuzzChecks CHECKS = FuzzChecks.ofThisThread();
    private static final long SECONDS = 5;
    private static final int STEPS_MAX = 400;
    private static FuzzedChannel.Place place;

    @FuzzTest
    void shouldEndInGoodOrderWhateverThePeerSends(byte[] data) throws IOException {
        fuzzerTestOneInput(data);
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        if (place == null) {
            place = new FuzzedChannel.Place();
            place.loop().sources().tcp();
        }
        // A channel with its rings and sockets, and for each step frames, arrays to send them, and perhaps a future.
        CHECKS.run((4L << 20) + 1024L * data.length, () -> run(new FuzzScript(data)));
    }

    private static void run(FuzzScript script) throws IOException {
        PoolStats before = place.stats();
        FuzzedPeer peer = new FuzzedPeer(place.connect(), script);
        FuzzedApplication application = new FuzzedApplication();
        ChannelCore channel = place.open(place.accept(), application);
        try {
            application.begin(channel);
            poll(peer);
            play(script, peer, application);
        } finally {
            end(channel, peer);
        }
        application.check();
        requireAllBack(before, place.stats());
    }

    private static void play(FuzzScript script, FuzzedPeer peer, FuzzedApplication application) throws IOException {
        for (int step = 0; step < STEPS_MAX && script.hasMore(); step++) {
            switch (script.next(10)) {
                case 0 -> peer.sayFrame();
                case 1 -> peer.sayAnnouncement();
                case 2 -> peer.sayRegion();
                case 3 -> peer.sayOperation();
                case 4 -> peer.sayAnswer();
                case 5 -> peer.sayBytes();
                case 6 -> application.act(script);
                case 7 -> peer.receive();
                case 8 -> deliver(peer, script.next());
                default -> deliver(peer, Integer.MAX_VALUE);
            }
        }
        while (peer.hasUnsent()) {
            deliver(peer, Integer.MAX_VALUE);
        }
    }

    private static void deliver(FuzzedPeer peer, int bytes) throws IOException {
        peer.deliver(bytes);
        place.loop().poll();
    }

    private static void poll(FuzzedPeer peer) {
        place.loop().poll();
        peer.receive();
    }

    private static void end(ChannelCore channel, FuzzedPeer peer) throws IOException {
        Deadline deadline = Deadline.in(SECONDS, TimeUnit.SECONDS);
        poll(peer);
        peer.close();
        while (!channel.state().isOver()) {
            place.loop().poll();
            if (deadline.isOver()) {
                throw new AssertionError("the peer was gone " + SECONDS + " s ago, and it is still a " + channel);
            }
        }
        channel.close();
    }

    private static void requireAllBack(PoolStats before, PoolStats after) {
        if (before.inUse() != after.inUse() || before.claimed() != after.claimed() || after.leaks() > 0) {
            throw new AssertionError("buffers are lost: " + before + " became " + after);
        }
    }
}
