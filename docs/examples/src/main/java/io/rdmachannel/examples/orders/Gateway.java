// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.examples.support.ExampleException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Takes orders of many clients. One thread of the library handles all of them; this class only accepts channels. */
final class Gateway implements AutoCloseable {
    private final Poller poller;
    private final RdmaListener listener;
    private final Semaphore ended = new Semaphore(0);
    /** Written by the poller's thread only, read by any. */
    private final AtomicLong accepted = new AtomicLong();

    private final AtomicLong rejected = new AtomicLong();

    private Gateway(Poller poller, InetSocketAddress address, ChannelConfigBuilder config) {
        this.poller = poller;
        this.listener = RdmaListener.bind(address, config.poller(poller).build(), () -> new GatewaySession(this));
    }

    /** Begins to listen; handlers run from now on. */
    static Gateway open(InetSocketAddress address, ChannelConfigBuilder config, CompletionMode mode) {
        Poller poller = Poller.start(PollerConfig.of("gateway").withMode(mode));
        try {
            return new Gateway(poller, address, config);
        } catch (RuntimeException failed) {
            poller.close();
            throw failed;
        }
    }

    InetSocketAddress address() {
        return listener.address();
    }

    /** Accepts so many clients, and waits until they have left. */
    void serve(int clients, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        List<RdmaChannel> channels = new ArrayList<>();
        while (channels.size() < clients) {
            RdmaChannel channel = listener.accept(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (channel == null) {
                throw new ExampleException(channels.size() + " of " + clients + " clients came in time");
            }
            channels.add(channel);
        }
        if (!ended.tryAcquire(clients, end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new ExampleException("the clients have not left in time: " + channels);
        }
        channels.forEach(RdmaChannel::close);
    }

    long accepted() {
        return accepted.get();
    }

    long rejected() {
        return rejected.get();
    }

    /** Counts an order; gives the number that it gets. In the poller's thread. */
    long count(Verdict verdict) {
        if (verdict == Verdict.ACKNOWLEDGED) {
            return accepted.incrementAndGet();
        }
        rejected.incrementAndGet();
        return 0;
    }

    /** A client's channel is over. In the poller's thread. */
    void ended() {
        ended.release();
    }

    @Override
    public void close() {
        listener.close();
        poller.close();
    }
}
