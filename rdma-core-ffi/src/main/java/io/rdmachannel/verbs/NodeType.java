// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** What a device is. See {@code ibv_get_device_list(3)}. */
public enum NodeType {
    /** An adapter for InfiniBand or RoCE, Soft-RoCE among them. */
    CHANNEL_ADAPTER(ibverbs_constants::IBV_NODE_CA),
    /** An InfiniBand switch. */
    SWITCH(ibverbs_constants::IBV_NODE_SWITCH),
    /** An InfiniBand router. */
    ROUTER(ibverbs_constants::IBV_NODE_ROUTER),
    /** An adapter for iWARP. */
    RDMA_NIC(ibverbs_constants::IBV_NODE_RNIC),
    /** A usNIC adapter. */
    USNIC(ibverbs_constants::IBV_NODE_USNIC),
    /** A usNIC adapter over UDP. */
    USNIC_UDP(ibverbs_constants::IBV_NODE_USNIC_UDP),
    /** An adapter with a protocol of its own, such as Amazon EFA. */
    UNSPECIFIED(ibverbs_constants::IBV_NODE_UNSPECIFIED),
    /** A value that this version does not know. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    NodeType(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<NodeType> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static NodeType of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}
