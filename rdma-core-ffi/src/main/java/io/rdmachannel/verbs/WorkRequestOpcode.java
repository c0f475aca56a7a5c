// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/**
 * What a send work request asks for. Reliable connections can do all of them, unreliable connections neither read nor
 * atomics, datagrams only {@link #SEND} and {@link #SEND_WITH_IMMEDIATE}. See {@code ibv_post_send(3)}.
 */
public enum WorkRequestOpcode {
    /** Sends bytes into a receive that the peer has posted. */
    SEND(ibverbs_constants::IBV_WR_SEND),
    /** Sends bytes and 32 bits of immediate data into a receive that the peer has posted. */
    SEND_WITH_IMMEDIATE(ibverbs_constants::IBV_WR_SEND_WITH_IMM),
    /** Writes bytes into the peer's memory; the peer is not told. */
    RDMA_WRITE(ibverbs_constants::IBV_WR_RDMA_WRITE),
    /** Writes bytes into the peer's memory, and consumes one of its receives to deliver 32 bits of immediate data. */
    RDMA_WRITE_WITH_IMMEDIATE(ibverbs_constants::IBV_WR_RDMA_WRITE_WITH_IMM),
    /** Reads bytes from the peer's memory. */
    RDMA_READ(ibverbs_constants::IBV_WR_RDMA_READ),
    /** Compares 8 aligned bytes of the peer's memory, swaps them when equal, and brings the old value back. */
    ATOMIC_COMPARE_AND_SWAP(ibverbs_constants::IBV_WR_ATOMIC_CMP_AND_SWP),
    /** Adds to 8 aligned bytes of the peer's memory, and brings the old value back. */
    ATOMIC_FETCH_AND_ADD(ibverbs_constants::IBV_WR_ATOMIC_FETCH_AND_ADD),
    /** Makes a key of this side invalid. */
    LOCAL_INVALIDATE(ibverbs_constants::IBV_WR_LOCAL_INV),
    /** Binds a memory window of type 2. */
    BIND_MEMORY_WINDOW(ibverbs_constants::IBV_WR_BIND_MW),
    /** Sends bytes and makes one of the peer's keys invalid. */
    SEND_WITH_INVALIDATE(ibverbs_constants::IBV_WR_SEND_WITH_INV);

    private final IntSupplier raw;

    WorkRequestOpcode(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<WorkRequestOpcode> TABLE = new RawValues<>(values(), constant -> constant.raw, null);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }
}
