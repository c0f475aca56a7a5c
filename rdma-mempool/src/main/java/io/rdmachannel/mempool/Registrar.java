// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Makes memory usable for an adapter: the pool's only contact with verbs. {@link #of} serves a protection domain; other
 * implementations serve programs with verbs code of their own, and tests.
 *
 * <p>May be called by any thread, and may block for as long as pinning the pages takes.
 */
@FunctionalInterface
public interface Registrar {
    /**
     * Registers memory.
     *
     * @param memory native memory, which stays mapped until the registration is closed
     * @return the registration
     * @throws RuntimeException if it is refused; the message says why and what to do
     */
    Registration register(MemorySegment memory);

    /**
     * Says whether registering pins pages and so counts against the limit on locked memory, which is then checked
     * first.
     *
     * @return true unless overridden
     */
    default boolean pinsMemory() {
        return true;
    }

    /**
     * Registers in a protection domain.
     *
     * @param domain the domain, which must outlive the pool
     * @param access the rights of every slab; see {@link AccessFlag#RELAXED_ORDERING} also
     * @return a registrar
     * @throws IllegalArgumentException if the rights contradict each other
     */
    static Registrar of(ProtectionDomain domain, Set<AccessFlag> access) {
        return new DomainRegistrar(domain, access);
    }
}
