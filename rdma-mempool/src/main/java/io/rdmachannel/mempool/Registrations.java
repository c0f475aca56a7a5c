// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** One piece of memory, registered with every registrar; with none, its only key is 0. Not synchronised. */
final class Registrations {
    private final List<Registration> registrations = new ArrayList<>();
    private final int[] localKeys;
    private final int[] remoteKeys;
    private final long nanos;

    private Registrations(int registrars) {
        this.localKeys = new int[Math.max(1, registrars)];
        this.remoteKeys = localKeys;
        this.nanos = 0;
    }

    /**
     * Registers; when one registrar refuses, what the others did is undone.
     *
     * @param registrars where, in the order of the keys
     * @param memory what; it must live until {@link #close}
     * @param owner whose it is, for the event
     */
    Registrations(List<Registrar> registrars, MemorySegment memory, String owner) {
        long begin = System.nanoTime();
        try {
            for (Registrar registrar : registrars) {
                registrations.add(register(registrar, memory, owner));
            }
        } catch (RuntimeException | Error failed) {
            undo(failed);
            throw failed;
        }
        this.nanos = System.nanoTime() - begin;
        this.localKeys = keys(Registration::localKey);
        this.remoteKeys = keys(Registration::remoteKey);
    }

    /** Of memory that is registered nowhere: all keys are 0. */
    static Registrations none(List<Registrar> registrars) {
        return new Registrations(registrars.size());
    }

    /**
     * Checks that memory may be pinned once for each registrar.
     *
     * @throws MemoryLimitException if it does not fit into the limit
     */
    static void requireRoomToPin(List<Registrar> registrars, long bytes) {
        long pinning = registrars.stream().filter(Registrar::pinsMemory).count();
        if (pinning > 0) {
            LockedMemory.read().requireRoomToPin(Math.multiplyExact(bytes, pinning));
        }
    }

    int localKey(int registrar) {
        return localKeys[registrar];
    }

    int remoteKey(int registrar) {
        return remoteKeys[registrar];
    }

    int count() {
        return registrations.size();
    }

    /** How long it took. */
    long nanos() {
        return nanos;
    }

    /** Deregisters. When one is refused the rest stays as it is, and close can be repeated. */
    void close() {
        for (Registration registration : registrations) {
            registration.close();
        }
    }

    private static Registration register(Registrar registrar, MemorySegment memory, String owner) {
        RegistrationEvent event = new RegistrationEvent();
        event.begin();
        Registration result = registrar.register(memory);
        event.finish(owner, memory.byteSize());
        return result;
    }

    private void undo(Throwable failed) {
        try {
            close();
        } catch (RuntimeException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }

    private int[] keys(ToIntFunction<Registration> key) {
        return registrations.isEmpty()
                ? new int[1]
                : registrations.stream().mapToInt(key).toArray();
    }
}
