// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** Against what the atomics of a device are atomic. See {@code ibv_query_device(3)}. */
public enum AtomicCapability {
    /** There are no atomics. */
    NONE(ibverbs_constants::IBV_ATOMIC_NONE),
    /** Atomic against each other on this device; not against the processor or another device. */
    DEVICE(ibverbs_constants::IBV_ATOMIC_HCA),
    /** Atomic against everything, the processor included. */
    GLOBAL(ibverbs_constants::IBV_ATOMIC_GLOB),
    /** A value that this version does not know. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    AtomicCapability(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<AtomicCapability> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static AtomicCapability of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}
