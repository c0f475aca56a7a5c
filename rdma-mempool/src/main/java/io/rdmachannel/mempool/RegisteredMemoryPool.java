// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool of registered buffers. Memory is mapped, placed, locked and registered when the pool is made or grows;
 * acquiring and releasing a buffer then takes nanoseconds, allocates nothing, and does not contend between threads:
 * each keeps a few buffers of each size for itself, and they go home when others run out.
 *
 * <p>All methods may be called by any thread. {@link #acquire(long)} blocks only when it grows the pool
 * ({@link PoolConfig.Builder#growthBytes}), or while another call does.
 *
 * <p>Lives until closed, which needs all leases back: no memory is unmapped that an adapter may still touch. It must be
 * closed before the protection domains it registers with.
 */
public final class RegisteredMemoryPool implements AutoCloseable {
    private static final int SAMPLED_SLOW_ACQUIRES = 32;

    private final PoolConfig config;
    private final LeakTracker tracker;
    private final SizeClasses classes;
    private final Buffers buffers;
    private final ThreadCaches caches;
    private final RegistrationCache userMemory;
    private final Waiters waiters = new Waiters();
    private final Set<Claim> claims = ConcurrentHashMap.newKeySet();
    private final AtomicLong exhaustions = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final UseChecks checks;
    /** Whether every acquire has something to check or to remember. */
    private final boolean observed;

    private int slowAcquires;
    private volatile boolean closing;

    private RegisteredMemoryPool(PoolConfig config) {
        this.config = config;
        this.tracker = new LeakTracker(config.name(), config.leakDetection());
        this.checks = config.checkedUse() ? new UseChecks(config.name()) : null;
        this.observed = checks != null || tracker.remembersAll();
        this.classes = new SizeClasses(config.slabBytes(), config.headroomBytes());
        LeaseContext context = new LeaseContext(this, config.headroomBytes(), config.checkedUse(), tracker);
        this.buffers = new Buffers(config, context, classes);
        this.caches = buffers.caches();
        this.userMemory = new RegistrationCache(
                config.registrars(), config.registrationCacheEntries(), config.registrationCacheBytes());
    }

    /**
     * Makes a pool: maps and registers its initial memory, which takes some milliseconds for each 100 MB.
     *
     * @param config how
     * @return the pool
     * @throws MemoryLimitException if it does not fit into the limit on locked memory; nothing is left then
     * @throws io.rdmachannel.verbs.VerbsException if memory or registration is refused; nothing is left then
     */
    public static RegisteredMemoryPool create(PoolConfig config) {
        return new RegisteredMemoryPool(Objects.requireNonNull(config, "config"));
    }

    /**
     * Acquires a buffer, or says at once that there is none.
     *
     * @param bytes the payload; 0 or more
     * @return a lease with one reference, or null when the pool is exhausted: release something, or wait, or send less
     * @throws IllegalArgumentException if negative
     * @throws IllegalStateException if closed
     */
    public Lease acquire(long bytes) {
        int index = indexOf(bytes);
        if (index >= 0) {
            CacheSlots slots = caches.slots(index);
            if (slots != null) {
                Lease lease = slots.take();
                if (lease != null) {
                    lease.home(slots);
                    return begin(lease, bytes);
                }
            }
        }
        Lease lease = acquireSlowly(index, bytes);
        return lease != null ? lease : exhausted(bytes);
    }

    /**
     * Acquires a buffer, and waits for one if there is none.
     *
     * @param bytes the payload; 0 or more
     * @param timeout how long to wait at most
     * @return a lease with one reference, or null when the time is over
     * @throws InterruptedException if interrupted while waiting
     * @throws IllegalArgumentException if negative
     * @throws IllegalStateException if closed
     */
    public Lease acquire(long bytes, Duration timeout) throws InterruptedException {
        int index = indexOf(bytes);
        Lease lease = acquireSlowly(index, bytes);
        if (lease != null) {
            return lease;
        }
        exhaustions.incrementAndGet();
        ExhaustionEvent event = new ExhaustionEvent();
        event.begin();
        lease = waiters.await(() -> acquireSlowly(index, bytes), timeout.toNanos());
        if (lease == null) {
            failures.incrementAndGet();
        }
        event.finish(config.name(), bytes, lease != null);
        return lease;
    }

    /**
     * Releases a lease that is believed to be of this pool, as {@link Lease#release} does.
     *
     * @param lease the lease
     * @throws IllegalArgumentException if it belongs to another pool
     * @throws IllegalStateException if it has been released already
     */
    public void release(Lease lease) {
        if (lease.pool() != this) {
            throw new IllegalArgumentException(lease + " was given back to " + this + ", which it does not belong to");
        }
        lease.release();
    }

    /**
     * Sets buffers aside for one holder; the pool grows for that if it may.
     *
     * @param holder who, for messages
     * @param bytes the payload of each
     * @param count how many, at least 1
     * @return the claim, to be closed by the holder
     * @throws PoolExhaustedException if there are not so many free; nothing is taken then
     * @throws IllegalStateException if closed
     */
    public Claim claim(String holder, long bytes, int count) {
        Objects.requireNonNull(holder, "holder");
        if (count < 1) {
            throw new IllegalArgumentException("a claim of " + count + " buffers; at least 1 is needed");
        }
        int index = indexOf(bytes);
        requireNotClosing();
        List<Lease> leases = new ArrayList<>(count);
        while (leases.size() < count) {
            Lease lease = buffers.find(index, bytes, false);
            if (lease == null) {
                leases.forEach(this::giveBack);
                throw new PoolExhaustedException(
                        "claim of " + count + " buffers of " + Bytes.text(bytes) + " for " + holder
                                + ": pool " + config.name() + " has only " + leases.size() + " left; its limit is "
                                + Bytes.text(config.maxBytes()) + ", see PoolSizing for what it needs");
            }
            leases.add(lease);
        }
        Claim claim = new Claim(this, holder, bytes, leases.toArray(Lease[]::new));
        claims.add(claim);
        return claim;
    }

    /**
     * Registers memory of the caller's with all registrars of the pool, or finds a registration that covers it: see
     * {@link RegistrationCache} for what memory may be. Blocks when it has to register. It does not count towards the
     * pool's limit, but has one of its own ({@link PoolConfig.Builder#registrationCache}).
     *
     * @param memory native and writable, of a shared, automatic or global arena, at least 1 byte
     * @return the memory with its keys, to be closed when no operation uses it any more
     * @throws IllegalArgumentException if it is heap memory, read-only, empty, or of a confined arena
     * @throws PoolExhaustedException if the cache is full of registrations that are in use
     * @throws MemoryLimitException if it does not fit into the limit on locked memory
     * @throws IllegalStateException if the pool or the memory's arena is closed
     */
    public RegisteredMemory register(MemorySegment memory) {
        requireNotClosing();
        return userMemory.register(memory);
    }

    /**
     * Says whether a buffer's keys are of this pool's registrars.
     *
     * @param buffer a lease, a slice, or registered memory of a user
     * @return true when it came from this pool
     */
    public boolean owns(RegisteredBuffer buffer) {
        return switch (buffer) {
            case Lease lease -> lease.pool() == this;
            case LeaseSlice slice -> slice.pool() == this;
            case RegisteredMemory memory -> memory.isOf(userMemory);
        };
    }

    /**
     * Drops the registrations that overlap some memory of the caller's. Needed before memory is freed that was not
     * allocated by an arena.
     *
     * @param memory the memory
     * @return how many were dropped
     * @throws IllegalStateException if one of them is in use
     */
    public int forget(MemorySegment memory) {
        return userMemory.forget(memory);
    }

    /**
     * Takes the registrations of all memory back, the pool's and users', for a device that is to be closed: the memory
     * stays where it is, leases stay valid, and the pool goes on handing them out. Until {@link #registerAgain} all
     * keys are 0, and what is mapped or added meanwhile is not registered. No work request may name the old keys any
     * more. Blocks for deregistration; idempotent.
     *
     * @throws io.rdmachannel.verbs.VerbsException if one is refused; what was not taken back stays, and the call can be
     *     repeated
     * @throws IllegalStateException if closed
     */
    public void deregister() {
        requireNotClosing();
        userMemory.deregister();
        buffers.deregister();
    }

    /**
     * Registers all memory again after {@link #deregister}, with the pool's registrars, which may lead to another
     * device by now. Keys are others than before. Blocks for registration; does nothing when all is registered.
     *
     * @throws MemoryLimitException if it does not fit into the limit on locked memory; nothing is registered then
     * @throws io.rdmachannel.verbs.VerbsException if registration is refused; likewise
     * @throws IllegalStateException if closed
     */
    public void registerAgain() {
        requireNotClosing();
        buffers.registerAgain();
        try {
            userMemory.registerAgain();
        } catch (RuntimeException | Error failed) {
            buffers.deregister();
            throw failed;
        }
    }

    /**
     * Grows the pool by hand, up to its limit. Maps and registers memory, so it blocks.
     *
     * @param bytes how much; rounded up to whole slabs
     * @return the bytes added, 0 at the limit
     * @throws MemoryLimitException if it does not fit into the limit on locked memory
     * @throws IllegalStateException if closed
     */
    public long grow(long bytes) {
        return buffers.grow(bytes);
    }

    /**
     * Gives memory back to the system that is not needed: slabs without a buffer in use, down to the initial size.
     * Blocks for deregistration.
     *
     * @return the bytes given back
     * @throws IllegalStateException if closed
     */
    public long shrink() {
        tracker.report();
        return buffers.shrink();
    }

    /**
     * Takes a snapshot of the numbers. Walks over all caches, and waits while the pool grows: for reports, not for a
     * data path.
     *
     * @return the numbers
     */
    public PoolStats stats() {
        tracker.report();
        return new StatsReader(config, buffers)
                .read(new StatsReader.Counts(
                        exhaustions.get(),
                        failures.get(),
                        waiters.waits(),
                        waiters.waitNanos(),
                        claims.stream().mapToLong(Claim::count).sum(),
                        claims.stream().mapToLong(Claim::available).sum(),
                        tracker.count(),
                        checks == null ? 0 : checks.writesAfterRelease(),
                        userMemory.stats()));
    }

    /**
     * Gives the configuration.
     *
     * @return as it was built
     */
    public PoolConfig config() {
        return config;
    }

    /**
     * Closes the pool if all leases are back, all claims closed and all users' memory let go of; otherwise it stays as
     * it is, except that registrations that nobody uses are dropped. Idempotent.
     *
     * @throws PoolInUseException if buffers are out; names them
     * @throws io.rdmachannel.verbs.VerbsException if a deregistration is refused; close can be repeated
     */
    @Override
    public void close() {
        if (!closeIfWhole()) {
            throw inUse();
        }
        buffers.free();
    }

    /**
     * Refuses to hand out more, waits until all leases are back and all claims closed, and closes the pool. When the
     * time is over the pool stays open and hands out again.
     *
     * @param timeout how long to wait at most
     * @throws InterruptedException if interrupted while waiting; the pool stays open
     * @throws PoolInUseException if buffers are out when the time is over; names them
     */
    public void close(Duration timeout) throws InterruptedException {
        closing = true;
        try {
            waiters.await(() -> closeIfWhole() ? true : null, timeout.toNanos());
            close();
        } finally {
            closing = false;
        }
    }

    @Override
    public String toString() {
        return "pool " + config.name();
    }

    /** A lease whose last reference has been dropped. */
    void recycle(Lease released) {
        Lease lease = checks == null ? released : checks.retire(released);
        Claim claim = lease.claim();
        if (claim != null) {
            if (claim.takeBack(lease)) {
                return;
            }
            lease.claim(null);
        }
        giveBack(lease);
    }

    void giveBack(Lease lease) {
        int index = lease.classIndex();
        boolean wanted = waiters.arePresent();
        if (index >= 0 && !wanted) {
            CacheSlots home = lease.home();
            CacheSlots slots = home != null && home.isMine() ? home : caches.slots(index);
            if (slots != null && slots.put(lease)) {
                return;
            }
        }
        buffers.giveBack(lease, !wanted);
        if (wanted) {
            waiters.signal();
        }
    }

    Lease beginClaimed(Lease lease, long bytes) {
        return begin(lease, bytes);
    }

    void forget(Claim claim) {
        claims.remove(claim);
    }

    private int indexOf(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes; 0 or more are possible");
        }
        return classes.indexOf(bytes);
    }

    private Lease begin(Lease lease, long bytes) {
        return observed ? beginObserved(lease, bytes) : lease.begin(bytes);
    }

    private Lease beginObserved(Lease lease, long bytes) {
        if (checks != null) {
            checks.inspect(lease);
        }
        lease.begin(bytes);
        if (tracker.remembersAll()) {
            lease.trace();
        }
        return lease;
    }

    private Lease acquireSlowly(int index, long bytes) {
        requireNotClosing();
        tracker.report();
        Lease lease = buffers.find(index, bytes, true);
        if (lease == null) {
            return null;
        }
        begin(lease, bytes);
        // A thread that loses buffers comes this way again and again, one that returns them hardly ever.
        if (slowAcquires++ % SAMPLED_SLOW_ACQUIRES == 0) {
            lease.trace();
        }
        return lease;
    }

    private Lease exhausted(long bytes) {
        exhaustions.incrementAndGet();
        failures.incrementAndGet();
        new ExhaustionEvent().finish(config.name(), bytes, false);
        return null;
    }

    private boolean closeIfWhole() {
        if (!userMemory.closeIfIdle()) {
            return false;
        }
        boolean whole = buffers.closeIfWhole();
        if (!whole) {
            userMemory.reopen();
        }
        return whole;
    }

    private void requireNotClosing() {
        if (closing) {
            throw new IllegalStateException(this + " is being closed");
        }
    }

    private PoolInUseException inUse() {
        tracker.report();
        long out = buffers.out();
        List<String> what = new ArrayList<>();
        for (Claim claim : claims) {
            what.add(claim + " (" + claim.available() + " of them here)");
        }
        what.addAll(buffers.describeOut());
        int registered = userMemory.inUse();
        if (registered > 0) {
            what.add(registered + " pieces of users' memory are registered");
        }
        return new PoolInUseException(
                "%s cannot be closed: %d buffers are out, %d of them lost. Release them and close the claims first: %s"
                        .formatted(this, out, tracker.count(), String.join("; ", what)),
                out + registered);
    }
}
