// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Registers users' own memory, and keeps registrations for the next time: one that covers the wanted range is used
 * again. A pool has one ({@link RegisteredMemoryPool#register}). Bounded by number and by bytes; the least recently
 * used one that nobody uses goes first.
 *
 * <p>Only for memory of shared, automatic and global arenas. A confined arena is closed by its thread at any time,
 * without anybody else being able to hold it open, while the adapter goes on using the pages.
 *
 * <p>A registration of memory whose arena has been closed is never used again, and is dropped when it is met. An arena
 * must not be closed while a {@link RegisteredMemory} of it is open. Memory that was allocated outside Java counts as
 * living for ever: call {@link #forget} before freeing it.
 *
 * <p>Any thread may call; registering and deregistering block, with the cache's lock held.
 */
public final class RegistrationCache implements AutoCloseable {
    /** Never started: stands for "any other thread". */
    private static final Thread SOMEBODY_ELSE = new Thread(() -> {}, "rdma-mempool-never-started");

    private final List<Registrar> registrars;
    private final int maxEntries;
    private final long maxBytes;
    /** By first address; several ranges may begin at one address. */
    private final TreeMap<Long, List<Entry>> byAddress = new TreeMap<>();
    /** Least recently used first; only those that nobody uses. */
    private final LinkedHashSet<Entry> idle = new LinkedHashSet<>();

    private int entries;
    private long bytes;
    private long longest;
    private long hits;
    private long misses;
    private long evictions;
    private long registrationNanos;
    private boolean closed;
    /** Whether nothing is registered at present, and what is added meanwhile neither. */
    private boolean deregistered;

    /**
     * Makes a cache for one registrar.
     *
     * @param registrar where to register
     * @param maxEntries how many registrations at most, at least 1
     * @param maxBytes how many bytes at most
     */
    public RegistrationCache(Registrar registrar, int maxEntries, long maxBytes) {
        this(List.of(registrar), maxEntries, maxBytes);
    }

    /**
     * Makes a cache that registers each piece of memory with several registrars.
     *
     * @param registrars where to register; with none, keys are 0
     * @param maxEntries how many pieces of memory at most, at least 1
     * @param maxBytes how many bytes at most
     */
    public RegistrationCache(List<Registrar> registrars, int maxEntries, long maxBytes) {
        this.registrars = List.copyOf(registrars);
        if (maxEntries < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "a cache of " + maxEntries + " registrations and " + maxBytes + " bytes; both must be at least 1");
        }
        this.maxEntries = maxEntries;
        this.maxBytes = maxBytes;
    }

    /**
     * Registers memory, or finds a registration that covers it.
     *
     * @param memory native and writable, of a shared, automatic or global arena, at least 1 byte
     * @return the memory with its keys, to be closed when no operation uses it any more
     * @throws IllegalArgumentException if it is heap memory, read-only, empty, or of a confined arena
     * @throws PoolExhaustedException if the cache is full of registrations that are in use
     * @throws MemoryLimitException if it does not fit into the limit on locked memory
     * @throws IllegalStateException if the cache or the arena is closed
     */
    public synchronized RegisteredMemory register(MemorySegment memory) {
        requireRegistrable(memory);
        requireOpen();
        Entry entry = covering(memory);
        if (entry == null) {
            misses++;
            entry = add(memory);
        } else {
            hits++;
        }
        idle.remove(entry);
        entry.users++;
        return new RegisteredMemory(this, entry, memory);
    }

    /**
     * Drops the registrations that overlap some memory, before it is freed.
     *
     * @param memory the memory
     * @return how many were dropped
     * @throws IllegalStateException if one of them is in use
     */
    public synchronized int forget(MemorySegment memory) {
        long end = memory.address() + memory.byteSize();
        List<Entry> overlapping = byAddress.headMap(end, false).values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.end() > memory.address())
                .toList();
        if (overlapping.stream().anyMatch(entry -> entry.users > 0)) {
            throw new IllegalStateException("memory of " + memory.byteSize() + " bytes at 0x"
                    + Long.toHexString(memory.address()) + " is in use: close its RegisteredMemory first");
        }
        overlapping.forEach(this::remove);
        return overlapping.size();
    }

    /**
     * Takes a snapshot of the numbers.
     *
     * @return the numbers
     */
    public synchronized Stats stats() {
        return new Stats(entries, bytes, inUse(), hits, misses, evictions, registrationNanos);
    }

    /**
     * Drops all registrations. Idempotent.
     *
     * @throws PoolInUseException if some are in use; nothing is dropped then
     */
    @Override
    public synchronized void close() {
        if (!closeIfIdle()) {
            throw new PoolInUseException(
                    "the registration cache cannot be closed: " + inUse() + " registrations are in use", inUse());
        }
    }

    /** Closes if no registration is in use; says whether it is closed. */
    synchronized boolean closeIfIdle() {
        if (inUse() > 0) {
            return false;
        }
        List.copyOf(idle).forEach(this::remove);
        closed = true;
        return true;
    }

    synchronized void reopen() {
        closed = false;
    }

    /**
     * Drops what nobody uses, and takes the registrations of the rest back. When one is refused, the rest stays as it
     * is, and it can be repeated.
     */
    synchronized void deregister() {
        deregistered = true;
        List.copyOf(idle).forEach(this::remove);
        all().forEach(entry -> entry.use(Registrations.none(registrars)));
    }

    /** Registers what is in use, and lives; when that fails, nothing is registered. */
    synchronized void registerAgain() {
        if (!deregistered) {
            return;
        }
        deregister();
        try {
            for (Entry entry : all()) {
                if (entry.isAlive()) {
                    entry.use(registered(entry.memory));
                }
            }
            deregistered = false;
        } catch (RuntimeException | Error failed) {
            deregister();
            throw failed;
        }
    }

    synchronized int inUse() {
        return entries - idle.size();
    }

    synchronized void giveBack(Entry entry) {
        entry.users--;
        if (entry.users > 0) {
            return;
        }
        idle.add(entry);
        if (!entry.isAlive()) {
            remove(entry);
        }
    }

    private Entry covering(MemorySegment memory) {
        long first = memory.address();
        long end = first + memory.byteSize();
        // Ranges may overlap, so the nearest one below need not be the one that reaches far enough.
        Map<Long, List<Entry>> candidates =
                byAddress.subMap(Math.min(first, Math.max(0, end - longest)), true, first, true);
        for (List<Entry> sameStart : candidates.values()) {
            for (Entry entry : sameStart) {
                if (entry.end() >= end && entry.isFor(memory)) {
                    return entry;
                }
            }
        }
        return null;
    }

    private Entry add(MemorySegment memory) {
        dropDead();
        makeRoom(memory.byteSize());
        Entry entry = new Entry(memory, deregistered ? Registrations.none(registrars) : registered(memory));
        byAddress
                .computeIfAbsent(memory.address(), address -> new ArrayList<>(1))
                .add(entry);
        entries++;
        bytes += memory.byteSize();
        longest = Math.max(longest, memory.byteSize());
        return entry;
    }

    private Registrations registered(MemorySegment memory) {
        Registrations.requireRoomToPin(registrars, memory.byteSize());
        Registrations registrations = new Registrations(registrars, memory, "users' memory");
        registrationNanos += registrations.nanos();
        return registrations;
    }

    private List<Entry> all() {
        return byAddress.values().stream().flatMap(List::stream).toList();
    }

    private void dropDead() {
        for (Entry entry : List.copyOf(idle)) {
            if (!entry.isAlive()) {
                remove(entry);
            }
        }
    }

    private void makeRoom(long wanted) {
        while ((entries >= maxEntries || bytes + wanted > maxBytes) && !idle.isEmpty()) {
            remove(idle.getFirst());
            evictions++;
        }
        if (entries >= maxEntries || bytes + wanted > maxBytes) {
            throw new PoolExhaustedException("registering " + Bytes.text(wanted) + ": the registration cache holds "
                    + entries
                    + " of " + maxEntries + " registrations and " + Bytes.text(bytes) + " of " + Bytes.text(maxBytes)
                    + ", all in use; close some, or make the cache larger");
        }
    }

    private void remove(Entry entry) {
        entry.registrations.close();
        idle.remove(entry);
        List<Entry> sameStart = byAddress.get(entry.first);
        sameStart.remove(entry);
        if (sameStart.isEmpty()) {
            byAddress.remove(entry.first);
        }
        entries--;
        bytes -= entry.end() - entry.first;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the registration cache is closed");
        }
    }

    private static void requireRegistrable(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "heap memory cannot be registered, since the garbage collector moves it; allocate it in an Arena");
        }
        if (memory.byteSize() == 0 || memory.isReadOnly()) {
            throw new IllegalArgumentException(
                    "empty or read-only memory cannot be registered; give the writable segment, of 1 byte or more");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("the arena of the memory is closed");
        }
        if (!memory.isAccessibleBy(SOMEBODY_ELSE)) {
            throw new IllegalArgumentException("memory of a confined arena cannot be registered: its thread can close"
                    + " the arena at any time while the adapter goes on using the pages; allocate it with"
                    + " Arena.ofShared(), Arena.ofAuto() or from the pool");
        }
    }

    /**
     * What a cache counts.
     *
     * @param registrations how many there are
     * @param bytes how much memory they cover
     * @param inUse how many are in use
     * @param hits how often one was found
     * @param misses how often one had to be made
     * @param evictions how often one was dropped to make room
     * @param registrationNanos how long making them took in all
     */
    public record Stats(
            int registrations, long bytes, int inUse, long hits, long misses, long evictions, long registrationNanos) {}

    /** One registration; guarded by the cache's lock. */
    static final class Entry {
        private final MemorySegment memory;
        private final long first;
        /** Replaced only while no device knows the memory, and read without the lock. */
        private volatile Registrations registrations;

        private int users;

        Entry(MemorySegment memory, Registrations registrations) {
            this.memory = memory;
            this.first = memory.address();
            this.registrations = registrations;
        }

        Registrations registrations() {
            return registrations;
        }

        private void use(Registrations present) {
            registrations.close();
            registrations = present;
        }

        long end() {
            return first + memory.byteSize();
        }

        boolean isAlive() {
            return memory.scope().isAlive();
        }

        /** Addresses are used again after an arena's end, so the arena must be the same too. */
        boolean isFor(MemorySegment wanted) {
            return isAlive() && memory.scope().equals(wanted.scope());
        }
    }
}
