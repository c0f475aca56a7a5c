// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** The transport service of a queue pair. See {@code ibv_create_qp(3)}. */
public enum QueuePairType {
    /** To one peer, in order, acknowledged and repeated by the adapters; with reads, writes and atomics. */
    RELIABLE_CONNECTION(ibverbs_constants::IBV_QPT_RC),
    /** To one peer, in order, but lost when lost; with sends and writes. Soft-RoCE has it. */
    UNRELIABLE_CONNECTION(ibverbs_constants::IBV_QPT_UC),
    /** To any peer by address handle, one packet a message, lost when lost; sends only. */
    UNRELIABLE_DATAGRAM(ibverbs_constants::IBV_QPT_UD);

    private final IntSupplier raw;

    QueuePairType(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<QueuePairType> TABLE = new RawValues<>(values(), constant -> constant.raw, null);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }
}
