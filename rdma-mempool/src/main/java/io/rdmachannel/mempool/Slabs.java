// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All memory of a pool: maps and registers it, hands out units, keeps to the limit. Every method needs the pool's slow
 * lock, which is this object's monitor, and may block for as long as registration takes.
 */
final class Slabs {
    private static final Logger LOGGER = LoggerFactory.getLogger(RegisteredMemoryPool.class);

    private static final int MAX_NOTES = 16;

    private final PoolConfig config;
    private final List<Slab> slabs = new ArrayList<>();
    /** Slabs with one buffer that is larger than all classes; those that are free are kept for the next one. */
    private final List<Slab> oversize = new ArrayList<>();

    /** What was said of memory that is not as wished, so that a pool that grows does not say it again and again. */
    private final Set<String> toldNotes = new HashSet<>();

    private final Set<Span> oversizeOut = new HashSet<>();

    /** Released oversize buffers, put here without the lock so that a release never waits for a registration. */
    private final ConcurrentLinkedQueue<Span> returned = new ConcurrentLinkedQueue<>();

    /** Whether nothing is registered at present, and what is mapped meanwhile neither. */
    private boolean deregistered;

    private long capacityBytes;
    private long growths;
    private long shrinks;
    private long registrations;
    private long registrationNanos;

    Slabs(PoolConfig config) {
        this.config = config;
    }

    /** Makes what the pool begins with; when that fails, nothing is left. */
    synchronized void begin() {
        try {
            for (long bytes = 0; bytes < config.initialBytes(); bytes += config.slabBytes()) {
                slabs.add(map(config.slabBytes()));
            }
        } catch (RuntimeException | Error failed) {
            undo(failed, this::freeAll);
            throw failed;
        }
        growths = 0;
    }

    /** Carves a span out of idle units, or returns null. */
    Span carve(SpanShape shape, boolean tracked) {
        for (Slab slab : slabs) {
            int first = slab.takeUnits(shape.unitCount());
            if (first >= 0) {
                return new Span(slab, first, shape, tracked);
            }
        }
        return null;
    }

    /** Takes back the units of a span all of whose leases are free and forgotten. */
    void uncarve(Span span) {
        span.slab().giveUnits(span.firstUnit(), span.unitCount());
    }

    /** Adds slabs, as many as the limit allows; returns the bytes added. */
    long grow(long bytes) {
        long wanted = Bytes.roundUp(bytes, config.slabBytes());
        long added = 0;
        while (added < wanted && makeRoom(config.slabBytes())) {
            slabs.add(map(config.slabBytes()));
            added += config.slabBytes();
        }
        return added;
    }

    /** Finds or makes an oversize slab for a payload, or returns null at the limit. */
    Span carveOversize(SizeClasses classes, long payloadBytes, boolean tracked) {
        long pages = config.hugePages().pageBytes(PoolConfig.UNIT_BYTES);
        long bytes = Bytes.roundUp(payloadBytes + classes.headroomStride(), pages);
        collectReturned();
        Slab slab = idleOversize(bytes).orElse(null);
        if (slab == null) {
            if (!makeRoom(bytes)) {
                return null;
            }
            slab = map(bytes);
            oversize.add(slab);
        }
        SpanShape shape = SpanShape.oversize(classes, slab.byteSize());
        Span span = new Span(slab, slab.takeUnits(shape.unitCount()), shape, tracked);
        oversizeOut.add(span);
        return span;
    }

    /** Takes the buffer of an oversize span back; any thread, without the lock. */
    void giveOversize(Span span) {
        returned.add(span);
    }

    /** Makes what came back available. */
    void collectReturned() {
        Span span = returned.poll();
        while (span != null) {
            uncarve(span);
            oversizeOut.remove(span);
            span = returned.poll();
        }
    }

    /** Frees idle slabs down to the initial size; returns the bytes freed. */
    long shrink() {
        collectReturned();
        long freed = freeIdleOversize(Long.MAX_VALUE);
        for (Slab slab : List.copyOf(slabs.reversed())) {
            if (slab.isIdle() && slabBytesTotal() - slab.byteSize() >= config.initialBytes()) {
                freed += free(slab, slabs);
            }
        }
        return freed;
    }

    /** Takes all registrations back. When one is refused the rest stays as it is, and it can be repeated. */
    void deregister() {
        deregistered = true;
        all().forEach(Slab::deregister);
    }

    /** Registers everything; when that fails, nothing is registered. */
    void registerAgain() {
        if (!deregistered) {
            return;
        }
        deregister();
        Registrations.requireRoomToPin(config.registrars(), capacityBytes);
        try {
            for (Slab slab : all()) {
                slab.register();
                count(slab);
            }
            deregistered = false;
        } catch (RuntimeException | Error failed) {
            undo(failed, this::deregister);
            throw failed;
        }
    }

    /** Frees everything. When the system refuses, what is left stays mapped, and the call can be repeated. */
    void freeAll() {
        for (Slab slab : List.copyOf(oversize)) {
            free(slab, oversize);
        }
        for (Slab slab : List.copyOf(slabs)) {
            free(slab, slabs);
        }
    }

    long capacityBytes() {
        return capacityBytes;
    }

    long idleBytes() {
        return slabs.stream().mapToLong(Slab::idleUnits).sum() * PoolConfig.UNIT_BYTES
                + oversize.stream()
                        .filter(Slab::isIdle)
                        .mapToLong(Slab::byteSize)
                        .sum();
    }

    int slabCount() {
        return slabs.size() + oversize.size();
    }

    long oversizeInUse() {
        return oversizeOut.size();
    }

    void describeOversizeOut(List<String> descriptions, int limit) {
        for (Span span : oversizeOut) {
            span.describeOut(new BitSet(), descriptions, limit);
        }
    }

    long growths() {
        return growths;
    }

    long shrinks() {
        return shrinks;
    }

    long registrations() {
        return registrations;
    }

    long registrationNanos() {
        return registrationNanos;
    }

    Placement placement() {
        return slabs.getFirst().placement();
    }

    private Optional<Slab> idleOversize(long bytes) {
        return oversize.stream()
                .filter(slab -> slab.isIdle() && slab.byteSize() >= bytes && slab.byteSize() / 2 <= bytes)
                .min(Comparator.comparingLong(Slab::byteSize));
    }

    private boolean makeRoom(long bytes) {
        collectReturned();
        long over = capacityBytes + bytes - config.maxBytes();
        return over <= 0 || freeIdleOversize(over) >= over;
    }

    private long freeIdleOversize(long atLeast) {
        long freed = 0;
        for (Slab slab : List.copyOf(oversize)) {
            if (slab.isIdle() && freed < atLeast) {
                freed += free(slab, oversize);
            }
        }
        return freed;
    }

    private long slabBytesTotal() {
        return slabs.stream().mapToLong(Slab::byteSize).sum();
    }

    private Slab map(long bytes) {
        if (!deregistered) {
            Registrations.requireRoomToPin(config.registrars(), bytes);
        }
        GrowthEvent event = new GrowthEvent();
        event.begin();
        Slab slab = new Slab(config, bytes, !deregistered);
        capacityBytes += bytes;
        growths++;
        count(slab);
        reportWishes(slab.placement());
        event.finish(config.name(), bytes, capacityBytes);
        return slab;
    }

    private long free(Slab slab, List<Slab> from) {
        GrowthEvent event = new GrowthEvent();
        event.begin();
        slab.free();
        from.remove(slab);
        capacityBytes -= slab.byteSize();
        shrinks++;
        event.finish(config.name(), -slab.byteSize(), capacityBytes);
        return slab.byteSize();
    }

    private void count(Slab slab) {
        registrations += slab.registrationCount();
        registrationNanos += slab.registrationNanos();
    }

    private List<Slab> all() {
        List<Slab> all = new ArrayList<>(slabs);
        all.addAll(oversize);
        return all;
    }

    private static void undo(Throwable failed, Runnable undoing) {
        try {
            undoing.run();
        } catch (RuntimeException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }

    private void reportWishes(Placement placement) {
        for (String note : placement.notes()) {
            if (toldNotes.size() < MAX_NOTES && toldNotes.add(note)) {
                LOGGER.warn("Pool {}: memory {}", config.name(), note);
            }
        }
    }
}
