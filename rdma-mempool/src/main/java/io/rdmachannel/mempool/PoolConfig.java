// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a pool is made: an immutable value, from {@link #builder}. Sizes are bytes. {@link Builder#build} rounds slabs up
 * to whole pages and the rest to whole slabs, and checks the relations; the accessors give the values after that.
 *
 * @see RegisteredMemoryPool
 */
public final class PoolConfig {
    /** The unit in which slabs are divided among size classes. */
    static final long UNIT_BYTES = 64 * 1024;

    private static final long MEBIBYTE = 1L << 20;

    private final Builder values;

    private PoolConfig(Builder values) {
        this.values = values;
    }

    /**
     * Starts a configuration: 64 MiB in one slab, no growth, ordinary pages, no NUMA binding, no registration.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Gives the name of the pool in messages and events.
     *
     * @return the name
     */
    public String name() {
        return values.name;
    }

    /**
     * Gives the size of a slab, which is mapped, registered and freed as a whole.
     *
     * @return bytes
     */
    public long slabBytes() {
        return values.slabBytes;
    }

    /**
     * Gives what the pool begins with, and keeps when it shrinks.
     *
     * @return bytes, a multiple of the slab size
     */
    public long initialBytes() {
        return values.initialBytes;
    }

    /**
     * Gives the step by which an exhausted pool grows.
     *
     * @return bytes, a multiple of the slab size; 0 when it does not grow by itself
     */
    public long growthBytes() {
        return values.growthBytes;
    }

    /**
     * Gives the hard limit, oversize buffers included.
     *
     * @return bytes
     */
    public long maxBytes() {
        return values.maxBytes;
    }

    /**
     * Gives the bytes that each lease has in front of its payload.
     *
     * @return bytes, 0 or more
     */
    public int headroomBytes() {
        return values.headroomBytes;
    }

    MemorySource source() {
        return values.source;
    }

    HugePages hugePages() {
        return values.hugePages;
    }

    int numaNode() {
        return values.numaNode;
    }

    MemoryLocking locking() {
        return values.locking;
    }

    int prefaultThreads() {
        return values.prefaultThreads;
    }

    LeakDetection leakDetection() {
        return values.leakDetection;
    }

    boolean checkedUse() {
        return values.checkedUse;
    }

    int threadCacheBuffers() {
        return values.threadCacheBuffers;
    }

    long threadCacheBytes() {
        return values.threadCacheBytes;
    }

    int registrationCacheEntries() {
        return values.registrationCacheEntries;
    }

    long registrationCacheBytes() {
        return values.registrationCacheBytes;
    }

    List<Registrar> registrars() {
        return values.registrars;
    }

    /** Collects the values. Not for use by several threads. */
    public static final class Builder {
        private static final int THREAD_CACHE_BUFFERS = 128;
        private static final int MAX_PREFAULT_THREADS = 64;

        private String name = "pool";
        private long slabBytes;
        private long initialBytes = 64 * MEBIBYTE;
        private long growthBytes;
        private long maxBytes;
        private int headroomBytes;
        private MemorySource source = MemorySource.MAPPED;
        private HugePages hugePages = HugePages.NONE;
        private int numaNode = NumaNodes.NONE;
        private MemoryLocking locking = MemoryLocking.BEST_EFFORT;
        private int prefaultThreads = Math.min(4, Runtime.getRuntime().availableProcessors());
        private LeakDetection leakDetection = LeakDetection.SAMPLED;
        private boolean checkedUse;
        private int threadCacheBuffers = THREAD_CACHE_BUFFERS;
        private long threadCacheBytes = MEBIBYTE;
        private int registrationCacheEntries = 1024;
        private long registrationCacheBytes = 1024 * MEBIBYTE;
        private List<Registrar> registrars = new ArrayList<>();

        private Builder() {}

        private Builder(Builder other) {
            this.name = other.name;
            this.slabBytes = other.slabBytes;
            this.initialBytes = other.initialBytes;
            this.growthBytes = other.growthBytes;
            this.maxBytes = other.maxBytes;
            this.headroomBytes = other.headroomBytes;
            this.source = other.source;
            this.hugePages = other.hugePages;
            this.numaNode = other.numaNode;
            this.locking = other.locking;
            this.prefaultThreads = other.prefaultThreads;
            this.leakDetection = other.leakDetection;
            this.checkedUse = other.checkedUse;
            this.threadCacheBuffers = other.threadCacheBuffers;
            this.threadCacheBytes = other.threadCacheBytes;
            this.registrationCacheEntries = other.registrationCacheEntries;
            this.registrationCacheBytes = other.registrationCacheBytes;
            this.registrars = List.copyOf(other.registrars);
        }

        /**
         * Names the pool in messages and events.
         *
         * @param value a short name
         * @return this builder
         */
        public Builder name(String value) {
            this.name = Objects.requireNonNull(value, "name");
            return this;
        }

        /**
         * Sets the size of a slab, which is also about the largest size that is not oversize. By default the initial
         * bytes are one slab, and the growth step is one slab when it is smaller.
         *
         * @param bytes at least 64 KiB
         * @return this builder
         */
        public Builder slabBytes(long bytes) {
            this.slabBytes = requireAtLeast("slabBytes", bytes, UNIT_BYTES);
            return this;
        }

        /**
         * Sets what the pool begins with.
         *
         * @param bytes 1 or more; rounded up to whole slabs
         * @return this builder
         */
        public Builder initialBytes(long bytes) {
            this.initialBytes = requireAtLeast("initialBytes", bytes, 1);
            return this;
        }

        /**
         * Lets an exhausted pool grow. Growing maps and registers memory in the thread that ran into the end of the
         * pool, which takes milliseconds and more.
         *
         * @param bytes the step; rounded up to whole slabs; 0 (the default) for no growth but by
         *     {@link RegisteredMemoryPool#grow}
         * @return this builder
         */
        public Builder growthBytes(long bytes) {
            this.growthBytes = requireAtLeast("growthBytes", bytes, 0);
            return this;
        }

        /**
         * Sets the hard limit for slabs and oversize buffers together. The default is the initial size when there is no
         * growth step, and four times that when there is one.
         *
         * @param bytes not less than the initial size
         * @return this builder
         */
        public Builder maxBytes(long bytes) {
            this.maxBytes = requireAtLeast("maxBytes", bytes, 1);
            return this;
        }

        /**
         * Sets the bytes in front of each payload, where a protocol can put its header so that header and payload are
         * one piece of memory.
         *
         * @param bytes 0 (the default) to 65536
         * @return this builder
         */
        public Builder headroomBytes(int bytes) {
            if (bytes < 0 || bytes > UNIT_BYTES) {
                throw new IllegalArgumentException(
                        "headroomBytes is " + bytes + ", which is not in the range 0 to 65536");
            }
            this.headroomBytes = bytes;
            return this;
        }

        /**
         * Sets where the memory of slabs comes from.
         *
         * @param value the source; {@link MemorySource#MAPPED} unless set
         * @return this builder
         */
        public Builder source(MemorySource value) {
            this.source = Objects.requireNonNull(value, "source");
            return this;
        }

        /**
         * Sets which pages the slabs are made of.
         *
         * @param value the kind of pages
         * @return this builder
         */
        public Builder hugePages(HugePages value) {
            this.hugePages = Objects.requireNonNull(value, "hugePages");
            return this;
        }

        /**
         * Binds the slabs to a NUMA node. When that is impossible, {@link Placement#notes()} says why.
         *
         * @param node the node's number, or -1 (the default) for no binding
         * @return this builder
         */
        public Builder numaNode(int node) {
            this.numaNode = (int) requireAtLeast("numaNode", node, NumaNodes.NONE);
            return this;
        }

        /**
         * Binds the slabs to the NUMA node that an adapter is attached to; does nothing when the adapter has none, as
         * virtual ones have not.
         *
         * @param device the adapter
         * @return this builder
         */
        public Builder numaNodeOf(Device device) {
            this.numaNode = NumaNodes.of(device);
            return this;
        }

        /**
         * Sets whether slabs are locked in memory.
         *
         * @param value the policy
         * @return this builder
         */
        public Builder locking(MemoryLocking value) {
            this.locking = Objects.requireNonNull(value, "locking");
            return this;
        }

        /**
         * Sets how many threads fault in and zero a new slab. They run on the slab's NUMA node, and end before the call
         * that needed them returns.
         *
         * @param threads 1 to 64
         * @return this builder
         */
        public Builder prefaultThreads(int threads) {
            if (threads < 1 || threads > MAX_PREFAULT_THREADS) {
                throw new IllegalArgumentException(
                        "prefaultThreads is " + threads + ", which is not in the range 1 to 64");
            }
            this.prefaultThreads = threads;
            return this;
        }

        /**
         * Sets how much is remembered for the report of a leak.
         *
         * @param value the level
         * @return this builder
         */
        public Builder leakDetection(LeakDetection value) {
            this.leakDetection = Objects.requireNonNull(value, "leakDetection");
            return this;
        }

        /**
         * Checks every use of a lease, for tests: each acquire gives a new object, so that whatever is done with a
         * released one throws for ever; released memory is filled with {@code 0xDE}, and a write to it after the
         * release is found when the buffer is acquired the next time.
         *
         * @param value true to check
         * @return this builder
         */
        public Builder checkedUse(boolean value) {
            this.checkedUse = value;
            return this;
        }

        /**
         * Bounds what each thread keeps for itself of each size class.
         *
         * @param buffers at most so many buffers; 0 for no caches
         * @param bytes at most so many bytes; classes of which not even two fit are not cached
         * @return this builder
         */
        public Builder threadCache(int buffers, long bytes) {
            if (buffers < 0 || buffers > 1024) {
                throw new IllegalArgumentException(
                        "a thread cache of " + buffers + " buffers is not in the range 0 to 1024");
            }
            this.threadCacheBuffers = buffers;
            this.threadCacheBytes = requireAtLeast("bytes of a thread cache", bytes, 0);
            return this;
        }

        /**
         * Bounds the cache of registrations of users' memory ({@link RegisteredMemoryPool#register}). The default is
         * 1024 registrations of together 1 GiB.
         *
         * @param registrations at most so many, at least 1
         * @param bytes at most so many in all, at least 1; a larger piece of memory is refused
         * @return this builder
         */
        public Builder registrationCache(int registrations, long bytes) {
            this.registrationCacheEntries = (int) requireAtLeast("registrations of the cache", registrations, 1);
            this.registrationCacheBytes = requireAtLeast("bytes of the registration cache", bytes, 1);
            return this;
        }

        /**
         * Adds a registrar. Every slab is registered with each of them, in this order; leases give the keys by index.
         * With none, keys are 0.
         *
         * @param registrar where to register
         * @return this builder
         */
        public Builder registerWith(Registrar registrar) {
            this.registrars.add(Objects.requireNonNull(registrar, "registrar"));
            return this;
        }

        /**
         * Fills in the defaults and checks the relations.
         *
         * @return the configuration
         * @throws IllegalArgumentException if the values contradict each other; the message names both
         */
        public PoolConfig build() {
            Builder result = new Builder(this);
            long step = result.growthBytes == 0 ? result.initialBytes : result.growthBytes;
            long slab = result.slabBytes == 0 ? Math.min(result.initialBytes, step) : result.slabBytes;
            result.slabBytes = Bytes.roundUp(slab, hugePages.pageBytes(UNIT_BYTES));
            result.initialBytes = Bytes.roundUp(result.initialBytes, result.slabBytes);
            result.growthBytes = Bytes.roundUp(result.growthBytes, result.slabBytes);
            if (result.maxBytes == 0) {
                result.maxBytes = Math.multiplyExact(result.initialBytes, result.growthBytes == 0 ? 1 : 4);
            }
            if (result.maxBytes < result.initialBytes) {
                throw new IllegalArgumentException("maxBytes is " + result.maxBytes + " and less than the initial "
                        + result.initialBytes + " bytes (" + result.initialBytes / result.slabBytes + " slabs of "
                        + result.slabBytes + "); raise the limit or begin with less");
            }
            if (source == MemorySource.ARENA) {
                result.requireNoWishesForMemory();
            }
            return new PoolConfig(result);
        }

        private void requireNoWishesForMemory() {
            boolean wishes = hugePages != HugePages.NONE || numaNode != NumaNodes.NONE;
            if (wishes || locking == MemoryLocking.REQUIRED || !registrars.isEmpty()) {
                throw new IllegalArgumentException("memory of MemorySource.ARENA has no huge pages, no NUMA node, no"
                        + " lock and no registration; take those settings out, or use MemorySource.MAPPED");
            }
        }

        private static long requireAtLeast(String what, long value, long min) {
            if (value < min) {
                throw new IllegalArgumentException(what + " is " + value + " and must be at least " + min);
            }
            return value;
        }
    }
}
