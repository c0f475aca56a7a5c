// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.ffi.MemoryConstants;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/** Registers in one protection domain, with the same rights always. */
final class DomainRegistrar implements Registrar {
    private final ProtectionDomain domain;
    private final Set<AccessFlag> access;

    DomainRegistrar(ProtectionDomain domain, Set<AccessFlag> access) {
        this.domain = Objects.requireNonNull(domain, "domain");
        this.access = Set.copyOf(access);
        AccessFlag.requireConsistent(this.access);
    }

    @Override
    public Registration register(MemorySegment memory) {
        try {
            return new RegionRegistration(domain.registerMemory(memory, access));
        } catch (VerbsException refused) {
            throw explained(refused, memory.byteSize());
        }
    }

    @Override
    public boolean pinsMemory() {
        return !access.contains(AccessFlag.ON_DEMAND);
    }

    @Override
    public String toString() {
        return domain + " with rights " + access;
    }

    /**
     * The check beforehand cannot see what others pin at the same moment, so the kernel's own refusal is explained too.
     */
    private static RuntimeException explained(VerbsException refused, long bytes) {
        boolean outOfMemory = refused.errno() == MemoryConstants.ENOMEM || refused.errno() == MemoryConstants.EPERM;
        LockedMemory now = LockedMemory.read();
        if (!outOfMemory || now.roomToPin() >= bytes) {
            return refused;
        }
        MemoryLimitException limit = now.refusalToPin(bytes);
        limit.initCause(refused);
        return limit;
    }

    private record RegionRegistration(MemoryRegion region) implements Registration {
        @Override
        public int localKey() {
            return region.localKey();
        }

        @Override
        public int remoteKey() {
            return region.remoteKey();
        }

        @Override
        public void close() {
            region.close();
        }
    }
}
