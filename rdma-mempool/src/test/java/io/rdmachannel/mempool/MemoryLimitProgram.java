// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.ffi.Errno;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** What {@link MemoryLimitIT} starts; says on standard output what happened. */
final class MemoryLimitProgram {
    private static final int LARGE = 16 << 20;

    private MemoryLimitProgram() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("exempt " + LockedMemory.read().exempt());
        try (DeviceContext context = LabDevice.find().open()) {
            Registrar registrar = Registrar.of(context.allocateProtectionDomain(), Set.of(AccessFlag.LOCAL_WRITE));
            refused("checked", Pools.small().initialBytes(LARGE).registerWith(registrar));
            refused("locked", Pools.small().initialBytes(LARGE).locking(MemoryLocking.REQUIRED));
            kernel(context.allocateProtectionDomain());
            System.out.println("regions afterwards " + LabDevice.regionsInKernel());
            PoolConfig small = Pools.small()
                    .initialBytes(Pools.UNIT)
                    .registerWith(registrar)
                    .build();
            try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(small)) {
                Lease lease = pool.acquire(1000);
                System.out.println("small pool works " + (lease.localKey() != 0));
                lease.release();
            }
            System.out.println("regions at the end " + LabDevice.regionsInKernel());
        }
    }

    private static void refused(String what, PoolConfig.Builder config) {
        try {
            RegisteredMemoryPool.create(config.build()).close();
            System.out.println(what + ": made");
        } catch (MemoryLimitException refusal) {
            System.out.println(what + ": " + refusal.getMessage());
        }
    }

    /** The kernel's own refusal, which comes when others pin at the same moment, is explained alike. */
    private static void kernel(ProtectionDomain domain) {
        MemorySegment memory = Arena.ofAuto().allocate(LARGE, 4096);
        try {
            new DomainRegistrar(domain, Set.of(AccessFlag.LOCAL_WRITE)).register(memory);
        } catch (MemoryLimitException refusal) {
            VerbsException cause = (VerbsException) refusal.getCause();
            System.out.println("kernel: " + Errno.describe(cause.errno()) + " explained true");
        }
    }
}
