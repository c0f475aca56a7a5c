// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** The logical state of a port. See {@code ibv_query_port(3)}. */
public enum PortState {
    /** No state; of requests, not of ports. */
    NOP(ibverbs_constants::IBV_PORT_NOP),
    /** No link. */
    DOWN(ibverbs_constants::IBV_PORT_DOWN),
    /** The link is there; on InfiniBand it waits for a subnet manager. */
    INIT(ibverbs_constants::IBV_PORT_INIT),
    /** Configured by the subnet manager, about to become active. */
    ARMED(ibverbs_constants::IBV_PORT_ARMED),
    /** Ready: the only state to connect through. */
    ACTIVE(ibverbs_constants::IBV_PORT_ACTIVE),
    /** Active, with the link lost for a moment. */
    ACTIVE_DEFER(ibverbs_constants::IBV_PORT_ACTIVE_DEFER),
    /** A value that this version does not know. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    PortState(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<PortState> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static PortState of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}
