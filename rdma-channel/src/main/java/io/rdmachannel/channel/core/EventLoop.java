// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.mempool.PoolStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The poller: one thread that looks for events of its sources, and attends to channels that have had some. */
public final class EventLoop implements Poller {
    private static final Logger LOGGER = LoggerFactory.getLogger(EventLoop.class);
    private static final int POLLS_A_CLOCK_READING = 16;
    private static final Duration SLEEP_MAX = Duration.ofSeconds(60);
    private static final long SLEEP_MAX_NANOS = SLEEP_MAX.toNanos();
    /** Long enough for a device that is just being opened. */
    private static final Duration HANDSHAKES_END = Duration.ofSeconds(2);

    private final PollerConfig config;
    private final LinkSources sources;
    private final Sleeper sleeper;
    private final Timers timers = new Timers(System::nanoTime);
    private final LoopCounters counters = new LoopCounters();
    private final Handshakes handshakes;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<ChannelLife> channels = new ArrayList<>();
    private final ArrayList<ChannelLife> attended = new ArrayList<>();
    /** Another one only once this one has ended. */
    private Thread owner;

    private final boolean ownThread;
    private boolean polling;
    private int polls;
    private boolean ephemeral;
    private volatile int holds;
    private volatile int channelCount;
    private volatile boolean closing;
    private volatile boolean closed;

    private EventLoop(PollerConfig config, boolean ownThread) {
        this.config = config;
        this.ownThread = ownThread;
        this.handshakes = new Handshakes(toString());
        this.owner = ownThread ? new LoopThread(config, this::run) : Thread.currentThread();
        this.sources = new LinkSources(config, owner);
        this.sleeper = new Sleeper(sources);
    }

    /**
     * Makes a loop that the calling thread drives.
     *
     * @param config how it works
     * @return the loop
     */
    public static EventLoop create(PollerConfig config) {
        return new EventLoop(config, false);
    }

    /**
     * Makes a loop with a thread of its own.
     *
     * @param config how it works
     * @return the loop
     */
    public static EventLoop start(PollerConfig config) {
        EventLoop loop = new EventLoop(config, true);
        loop.owner.start();
        return loop;
    }

    @Override
    public PollerConfig config() {
        return config;
    }

    @Override
    public int poll() {
        requireOwner();
        if (polling) {
            throw new IllegalStateException("poll() was called within a handler, which is called by poll()");
        }
        if (closed) {
            if (ephemeral) {
                return 0;
            }
            throw new IllegalStateException("poller " + config.name() + " is closed");
        }
        return pollOnce();
    }

    @Override
    public int poll(Duration timeout) {
        long begin = System.nanoTime();
        long limit = timeout.toNanos();
        long spin = spinNanos();
        while (true) {
            int events = poll();
            long passed = System.nanoTime() - begin;
            if (events > 0 || passed >= limit || closed || sleeper.takeWakeUp() || owner.isInterrupted()) {
                return events;
            }
            if (passed < spin) {
                Thread.onSpinWait();
            } else if (attended.isEmpty()) {
                events = sleep(Math.min(limit - passed, SLEEP_MAX_NANOS));
                if (events > 0) {
                    return events;
                }
            }
        }
    }

    @Override
    public void execute(Runnable action) {
        if (!executeUnlessClosed(action)) {
            throw new IllegalStateException("poller " + config.name() + " is closed");
        }
    }

    @Override
    public void wakeUp() {
        sleeper.wakeUp();
    }

    @Override
    public int channelCount() {
        return channelCount;
    }

    @Override
    public LoopCounters counters() {
        return counters;
    }

    @Override
    public Map<String, PoolStats> pools() {
        return sources.pools();
    }

    @Override
    public void close() {
        closing = true;
        if (!owner.isAlive()) {
            owner = Thread.currentThread();
        }
        if (isOwner()) {
            closeNow();
            return;
        }
        if (!ownThread) {
            closing = false;
            throw new WrongThreadException(
                    "poller " + config.name() + " belongs to thread '" + owner.getName() + "': close it there");
        }
        sleeper.wakeUp();
        joinOwner();
        if (!closed) {
            owner = Thread.currentThread();
            closeNow();
        }
    }

    @Override
    public String toString() {
        return "poller " + config.name();
    }

    LinkSources sources() {
        return sources;
    }

    Handshakes handshakes() {
        return handshakes;
    }

    Timers timers() {
        return timers;
    }

    Thread owner() {
        return owner;
    }

    boolean isOwner() {
        return Thread.currentThread() == owner;
    }

    void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new WrongThreadException("poller " + config.name() + " and its channels belong to thread '"
                    + owner.getName() + "', and were used by thread '"
                    + Thread.currentThread().getName() + "'. Use Poller.execute, or the asynchronous forms.");
        }
    }

    boolean isPolling() {
        return polling;
    }

    /** Has something done by the owner; says whether that is still possible. Any thread. */
    boolean executeUnlessClosed(Runnable action) {
        if (closed) {
            return false;
        }
        commands.add(action);
        sleeper.wakeIfSleeping();
        return true;
    }

    /** Makes the loop end with its last channel: nobody else can close it. */
    EventLoop ephemeral() {
        ephemeral = true;
        return this;
    }

    /** Keeps an ephemeral loop from ending, while channels may still come. Any thread. */
    synchronized void hold() {
        holds++;
    }

    /** Takes a hold back. Any thread. */
    synchronized void release() {
        holds--;
    }

    /** Ends an ephemeral loop that has no channel; by the owner. */
    void closeIfUnused() {
        if (ephemeral && channels.isEmpty() && holds == 0 && commands.isEmpty() && !closed) {
            try {
                closeNow();
            } catch (RuntimeException refused) {
                LOGGER.warn("{}: {}", this, refused.getMessage());
            }
        }
    }

    void add(ChannelLife channel) {
        channels.add(channel);
        counters.add(channel.counters());
        channelCount = channels.size();
    }

    void remove(ChannelLife channel) {
        channels.remove(channel);
        counters.remove(channel.counters());
        channelCount = channels.size();
    }

    /** Comes back to a channel at the end of this poll, or of the next one. */
    void attend(ChannelLife channel) {
        if (channel.touch()) {
            attended.add(channel);
        }
    }

    /** Polls until something has happened; says whether it has. */
    boolean pollUntil(BooleanSupplier condition, Duration timeout) {
        long begin = System.nanoTime();
        long left = timeout.toNanos();
        while (!condition.getAsBoolean() && left > 0 && !closed) {
            poll(Duration.ofNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(20))));
            left = timeout.toNanos() - (System.nanoTime() - begin);
        }
        return condition.getAsBoolean();
    }

    private int pollOnce() {
        polling = true;
        counters.own().count(ChannelCounter.POLLS);
        try {
            int events = runCommands() + sources.poll() + expireTimers();
            attendChannels();
            return events;
        } finally {
            polling = false;
        }
    }

    /** Reading the clock costs as much as a poll that finds nothing. */
    private int expireTimers() {
        polls++;
        return polls % POLLS_A_CLOCK_READING == 0 ? timers.expire() : 0;
    }

    private int runCommands() {
        int count = 0;
        Runnable action = commands.poll();
        while (action != null) {
            try {
                action.run();
            } catch (RuntimeException thrown) {
                LOGGER.error("{}: what was to be executed threw an exception", this, thrown);
            }
            count++;
            action = commands.poll();
        }
        return count;
    }

    private void attendChannels() {
        int kept = 0;
        // A channel that is attended to may put others on the list.
        for (int i = 0; i < attended.size(); i++) {
            ChannelLife channel = attended.get(i);
            if (channel.attend()) {
                attended.set(kept++, channel);
            }
        }
        while (attended.size() > kept) {
            attended.removeLast();
        }
    }

    private long spinNanos() {
        return switch (config.mode()) {
            case BUSY_POLL -> Long.MAX_VALUE;
            case EVENT -> 0;
            case ADAPTIVE -> config.spinTime().toNanos();
        };
    }

    /** Whatever happens after it has been armed ends a sleep, and what happened before is polled here. */
    private int sleep(long nanos) {
        sleeper.begin();
        try {
            sources.arm();
            int events = pollOnce();
            if (events > 0 || !commands.isEmpty() || !attended.isEmpty()) {
                return events;
            }
            counters.own().count(ChannelCounter.SLEEPS);
            sleeper.sleep(timers.untilNext(nanos));
            return 0;
        } finally {
            sleeper.end();
        }
    }

    private void run() {
        while (!closing) {
            // Nobody is told of an interrupt here, and with one pending the thread would not sleep any more.
            Thread.interrupted();
            try {
                poll(SLEEP_MAX);
            } catch (RuntimeException | Error thrown) {
                LOGGER.error("{}: a poll threw an exception", this, thrown);
            }
        }
        try {
            closeNow();
        } catch (RuntimeException refused) {
            LOGGER.warn("{}: {}", this, refused.getMessage());
        }
    }

    private void closeNow() {
        // Channels whose handshakes have ended begin by commands, or nobody could close them.
        runCommands();
        closeChannels();
        handshakes.end(HANDSHAKES_END, this::runCommands);
        runCommands();
        closeChannels();
        sleeper.close();
        sources.close();
        closed = true;
        runCommands();
    }

    private void closeChannels() {
        for (ChannelLife channel : new ArrayList<>(channels)) {
            channel.closeNow();
        }
    }

    private void joinOwner() {
        boolean interrupted = false;
        while (owner.isAlive()) {
            try {
                owner.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
