// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.MemoryCalls;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_mr;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.Set;

/**
 * Registered memory ({@code ibv_reg_mr(3)}): the adapter may use it, locally by {@link #localKey()} and, with remote
 * rights, by whoever knows {@link #remoteKey()} and has a queue pair of the same domain as its peer.
 *
 * <p>Keeps its memory reachable until closed. Closing makes the keys useless: work that still uses them ends with an
 * error completion. Any thread may call; closing unpins the pages and may take long for large regions.
 */
public final class MemoryRegion implements AutoCloseable {
    private final ProtectionDomain domain;
    private final MemorySegment memory;
    private final Set<AccessFlag> access;
    private final MemorySegment handle;
    private final int localKey;
    private final int remoteKey;
    private final Lifetime lifetime;

    MemoryRegion(ProtectionDomain domain, MemorySegment memory, Set<AccessFlag> access) {
        requireRegistrable(memory);
        AccessFlag.requireConsistent(access);
        this.domain = domain;
        this.memory = memory;
        this.access = access;
        domain.lifetime().acquire();
        try {
            MemorySegment pointer =
                    MemoryCalls.ibv_reg_mr(domain.handle(), memory, memory.byteSize(), AccessFlag.bits(access));
            this.handle =
                    Pointers.view(Results.checkPointer("ibv_reg_mr", pointer, asked(), remedy()), ibv_mr.sizeof());
            this.localKey = ibv_mr.lkey(handle);
            this.remoteKey = ibv_mr.rkey(handle);
            this.lifetime = Lifetime.of(
                            "memory region of " + domain.context().device().name(), CloseOrder.MEMORY_REGION)
                    .childOf(domain.lifetime())
                    .destroyedBy(this::destroy)
                    .begin();
        } finally {
            domain.lifetime().release();
        }
    }

    /**
     * Gives the memory.
     *
     * @return the segment that was registered
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Gives the address by which the adapter knows the first byte.
     *
     * @return the address in this process
     */
    public long address() {
        return memory.address();
    }

    /**
     * Gives the size.
     *
     * @return bytes, at least 1
     */
    public long length() {
        return memory.byteSize();
    }

    /**
     * Gives the key for work requests of this process.
     *
     * @return the lkey
     */
    public int localKey() {
        return localKey;
    }

    /**
     * Gives the key for peers. Whoever has it can use the memory within its rights: treat it as a secret.
     *
     * @return the rkey
     */
    public int remoteKey() {
        return remoteKey;
    }

    /**
     * Gives the rights.
     *
     * @return the rights that were asked for
     */
    public Set<AccessFlag> access() {
        return access;
    }

    /**
     * Gives the domain in which the memory was registered.
     *
     * @return the domain
     */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /**
     * Deregisters the memory. Idempotent; any thread.
     *
     * @throws VerbsException if the device refuses, for instance while a window is bound to it; close can be repeated
     */
    @Override
    public void close() {
        lifetime.close();
    }

    @Override
    public String toString() {
        return lifetime + " (" + memory.byteSize() + " bytes)";
    }

    MemorySegment handle() {
        return handle;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    private static void requireRegistrable(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "heap memory cannot be registered, since the garbage collector moves it; allocate it in an Arena");
        }
        if (memory.byteSize() == 0) {
            throw new IllegalArgumentException("memory of 0 bytes cannot be registered; at least 1 byte is needed");
        }
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException(
                    "a read-only segment cannot be registered, since the adapter may write; give the writable one");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("the arena of the memory is closed");
        }
    }

    private String asked() {
        return "registering " + memory.byteSize() + " bytes with rights " + access + " on "
                + domain.context().device().name();
    }

    private static String remedy() {
        return "ENOMEM or EPERM: the limit on locked memory is too low; see ulimit -l, LimitMEMLOCK= of a systemd unit,"
                + " or --ulimit memlock=-1 of a container, or give CAP_IPC_LOCK."
                + " EINVAL: the device lacks one of the rights. EFAULT: a part of the range is not mapped.";
    }

    private void destroy() {
        domain.context()
                .checkDestroyed(
                        "ibv_dereg_mr",
                        MemoryCalls.ibv_dereg_mr(handle),
                        lifetime,
                        "EBUSY: a memory window is still bound to it; close the window first.");
        // The memory must not be collected before the kernel has let go of it.
        Reference.reachabilityFence(memory);
    }

    /** A part of the region, checked: what a scatter/gather element may name. */
    long addressOf(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        return memory.address() + offset;
    }
}
