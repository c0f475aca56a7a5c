// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.mempool.Registrar;
import io.rdmachannel.mempool.Registration;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Registers a pool's memory with the device that is open at present: the pool outlives it. Any thread. */
final class PoolRegistrar implements Registrar {
    /** Peers may read what is offered to them, and write nowhere. */
    private static final Set<AccessFlag> RIGHTS = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);

    private volatile Registrar present;

    PoolRegistrar(ProtectionDomain domain) {
        leadTo(domain);
    }

    /** From now on memory is registered there. */
    void leadTo(ProtectionDomain domain) {
        present = Registrar.of(domain, RIGHTS);
    }

    @Override
    public Registration register(MemorySegment memory) {
        return present.register(memory);
    }

    @Override
    public boolean pinsMemory() {
        return present.pinsMemory();
    }

    @Override
    public String toString() {
        return present.toString();
    }
}
