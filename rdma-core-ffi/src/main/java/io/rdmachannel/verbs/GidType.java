// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** Which protocol an entry of the GID table stands for. See {@code ibv_query_gid_ex(3)}. */
public enum GidType {
    /** InfiniBand. */
    INFINIBAND(ibverbs_constants::IBV_GID_TYPE_IB),
    /** RoCE in Ethernet frames: cannot be routed. */
    ROCE_V1(ibverbs_constants::IBV_GID_TYPE_ROCE_V1),
    /** RoCE in UDP packets: can be routed; to be preferred. */
    ROCE_V2(ibverbs_constants::IBV_GID_TYPE_ROCE_V2),
    /** A value that this version does not know. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    GidType(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<GidType> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static GidType of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}
