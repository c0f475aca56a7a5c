// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** What runs on the link of a port. See {@code ibv_query_port(3)}. */
public enum LinkLayer {
    /** Not told, as by old drivers of InfiniBand devices. */
    UNSPECIFIED(ibverbs_constants::IBV_LINK_LAYER_UNSPECIFIED),
    /** InfiniBand: peers are found by LID. */
    INFINIBAND(ibverbs_constants::IBV_LINK_LAYER_INFINIBAND),
    /** Ethernet, that is RoCE or iWARP: peers are found by GID. */
    ETHERNET(ibverbs_constants::IBV_LINK_LAYER_ETHERNET),
    /** A value that this version does not know. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    LinkLayer(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<LinkLayer> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static LinkLayer of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}
