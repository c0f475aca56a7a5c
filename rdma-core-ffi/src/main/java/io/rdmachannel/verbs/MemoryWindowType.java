// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** The two kinds of memory windows. See {@code ibv_alloc_mw(3)} and {@code ibv_bind_mw(3)}. */
public enum MemoryWindowType {
    /** Bound by a call of its own; good for all queue pairs of the protection domain. */
    TYPE_1(ibverbs_constants::IBV_MW_TYPE_1),
    /** Bound by a posted work request to one queue pair; can be invalidated by the peer. */
    TYPE_2(ibverbs_constants::IBV_MW_TYPE_2);

    private final IntSupplier raw;

    MemoryWindowType(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<MemoryWindowType> TABLE = new RawValues<>(values(), constant -> constant.raw, null);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }
}
