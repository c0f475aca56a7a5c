// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * What may be done with a memory region or window, and what a queue pair lets its peer do. The adapter may always read
 * local memory, so there is no flag for that. See {@code ibv_reg_mr(3)} and {@code ibv_modify_qp(3)}.
 */
public enum AccessFlag {
    /** The local adapter may write: needed for receives, for the target of a read, and with remote write or atomic. */
    LOCAL_WRITE(ibverbs_constants::IBV_ACCESS_LOCAL_WRITE),
    /** Peers that hold the remote key may write. Needs {@link #LOCAL_WRITE}. */
    REMOTE_WRITE(ibverbs_constants::IBV_ACCESS_REMOTE_WRITE),
    /** Peers that hold the remote key may read. */
    REMOTE_READ(ibverbs_constants::IBV_ACCESS_REMOTE_READ),
    /** Peers that hold the remote key may compare-and-swap and fetch-and-add. Needs {@link #LOCAL_WRITE}. */
    REMOTE_ATOMIC(ibverbs_constants::IBV_ACCESS_REMOTE_ATOMIC),
    /** Memory windows may be bound to the region. */
    MEMORY_WINDOW_BIND(ibverbs_constants::IBV_ACCESS_MW_BIND),
    /** Peers address the region by offsets from its beginning, not by virtual addresses. */
    ZERO_BASED(ibverbs_constants::IBV_ACCESS_ZERO_BASED),
    /** Pages are faulted in by the adapter and not pinned; few devices can do that, Soft-RoCE of Linux 6.1 cannot. */
    ON_DEMAND(ibverbs_constants::IBV_ACCESS_ON_DEMAND),
    /** A promise that all pages are huge and stay so; means something together with {@link #ON_DEMAND} only. */
    HUGE_TLB(ibverbs_constants::IBV_ACCESS_HUGETLB),
    /**
     * Incoming writes may reach memory out of order, which is faster on some machines. A completion still says that all
     * of the data is there; watching the last byte of a buffer says nothing. A device that cannot do it ignores the
     * flag.
     */
    RELAXED_ORDERING(ibverbs_constants::IBV_ACCESS_RELAXED_ORDERING);

    private final IntSupplier bit;

    AccessFlag(IntSupplier bit) {
        this.bit = bit;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final BitFlags<AccessFlag> TABLE = new BitFlags<>(AccessFlag.class, flag -> flag.bit);
    }

    int bit() {
        return Numbers.TABLE.bit(this);
    }

    static int bits(Set<AccessFlag> flags) {
        return Numbers.TABLE.bits(flags);
    }

    static Set<AccessFlag> of(int bits) {
        return Numbers.TABLE.of(bits);
    }

    /**
     * Checks the rule for memory regions that whoever lets a peer write must let the local adapter write too. Without
     * the check the kernel answers with a bare {@code EINVAL}.
     *
     * @param flags the rights asked for; may be empty
     * @throws IllegalArgumentException when {@link #REMOTE_WRITE} or {@link #REMOTE_ATOMIC} comes without
     *     {@link #LOCAL_WRITE}
     */
    public static void requireConsistent(Set<AccessFlag> flags) {
        boolean writtenByPeers = flags.contains(REMOTE_WRITE) || flags.contains(REMOTE_ATOMIC);
        if (writtenByPeers && !flags.contains(LOCAL_WRITE)) {
            throw new IllegalArgumentException("access flags " + flags
                    + " let peers write but not the local adapter:"
                    + " REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE, add it");
        }
    }
}
