// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a poller works. A plain value; the {@code with} methods give changed copies.
 *
 * @param name for threads, pools and messages
 * @param mode what it does while nothing happens
 * @param spinTime how long it looks again in the ADAPTIVE mode before it sleeps
 * @param processor which processor a thread of the library runs on, from 0; -1 for any
 * @param poolBytes how much memory for buffers there is at the beginning, for each transport that is used
 * @param poolMaxBytes how much there may be, oversize messages included
 * @param completionQueueCapacity how many completions of RDMA fit: all that the channels can have outstanding
 * @param sharedReceives receive buffers that all channels take from; empty when each channel has its own
 */
public record PollerConfig(
        String name,
        CompletionMode mode,
        Duration spinTime,
        int processor,
        long poolBytes,
        long poolMaxBytes,
        int completionQueueCapacity,
        Optional<SharedReceives> sharedReceives) {
    private static final long MEBIBYTE = 1L << 20;
    private static final long DEFAULT_POOL_BYTES = 16 * MEBIBYTE;
    private static final long DEFAULT_POOL_MAX_BYTES = 1024 * MEBIBYTE;
    private static final int DEFAULT_COMPLETIONS = 16384;

    /** Checks the values. */
    public PollerConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(spinTime, "spinTime");
        Objects.requireNonNull(sharedReceives, "sharedReceives");
        if (spinTime.isNegative()) {
            throw new IllegalArgumentException("spinTime is " + spinTime + "; 0 or more is possible");
        }
        if (poolBytes < MEBIBYTE || poolMaxBytes < poolBytes) {
            throw new IllegalArgumentException("poolBytes is " + poolBytes + " and poolMaxBytes is " + poolMaxBytes
                    + "; the first must be at least 1 MiB, the second not less than the first");
        }
        if (completionQueueCapacity < 1) {
            throw new IllegalArgumentException(
                    "completionQueueCapacity is " + completionQueueCapacity + " and must be at least 1");
        }
    }

    /**
     * The usual poller: ADAPTIVE with 50 µs of spinning, on any processor, 16 MiB of buffers that may grow to 1 GiB.
     *
     * @param name for threads, pools and messages
     * @return the configuration
     */
    public static PollerConfig of(String name) {
        return new PollerConfig(
                name,
                CompletionMode.ADAPTIVE,
                Duration.ofNanos(50_000),
                -1,
                DEFAULT_POOL_BYTES,
                DEFAULT_POOL_MAX_BYTES,
                DEFAULT_COMPLETIONS,
                Optional.empty());
    }

    /**
     * The same with another mode.
     *
     * @param value the mode
     * @return a changed copy
     */
    public PollerConfig withMode(CompletionMode value) {
        return new PollerConfig(
                name, value, spinTime, processor, poolBytes, poolMaxBytes, completionQueueCapacity, sharedReceives);
    }

    /**
     * The same with another time of spinning.
     *
     * @param value how long
     * @return a changed copy
     */
    public PollerConfig withSpinTime(Duration value) {
        return new PollerConfig(
                name, mode, value, processor, poolBytes, poolMaxBytes, completionQueueCapacity, sharedReceives);
    }

    /**
     * The same on another processor.
     *
     * @param value the processor, -1 for any
     * @return a changed copy
     */
    public PollerConfig withProcessor(int value) {
        return new PollerConfig(
                name, mode, spinTime, value, poolBytes, poolMaxBytes, completionQueueCapacity, sharedReceives);
    }

    /**
     * The same with other bounds of the pool.
     *
     * @param bytes at the beginning
     * @param maxBytes at most
     * @return a changed copy
     */
    public PollerConfig withPool(long bytes, long maxBytes) {
        return new PollerConfig(
                name, mode, spinTime, processor, bytes, maxBytes, completionQueueCapacity, sharedReceives);
    }

    /**
     * The same with room for more or fewer completions.
     *
     * @param value how many
     * @return a changed copy
     */
    public PollerConfig withCompletionQueueCapacity(int value) {
        return new PollerConfig(name, mode, spinTime, processor, poolBytes, poolMaxBytes, value, sharedReceives);
    }

    /**
     * The same with receive buffers that all channels take from, for pollers of many channels.
     *
     * @param value how many, and how large
     * @return a changed copy
     */
    public PollerConfig withSharedReceives(SharedReceives value) {
        return new PollerConfig(
                name, mode, spinTime, processor, poolBytes, poolMaxBytes, completionQueueCapacity, Optional.of(value));
    }
}
