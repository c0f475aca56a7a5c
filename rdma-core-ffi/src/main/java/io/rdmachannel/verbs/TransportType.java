// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/** The transport protocol of a device. See {@code ibv_get_device_list(3)}. */
public enum TransportType {
    /** The InfiniBand transport, over InfiniBand or as RoCE over Ethernet. */
    INFINIBAND(ibverbs_constants::IBV_TRANSPORT_IB),
    /** iWARP, over TCP. */
    IWARP(ibverbs_constants::IBV_TRANSPORT_IWARP),
    /** usNIC. */
    USNIC(ibverbs_constants::IBV_TRANSPORT_USNIC),
    /** usNIC over UDP. */
    USNIC_UDP(ibverbs_constants::IBV_TRANSPORT_USNIC_UDP),
    /** One of its own. */
    UNSPECIFIED(ibverbs_constants::IBV_TRANSPORT_UNSPECIFIED),
    /** A value that this version does not know. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    TransportType(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<TransportType> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static TransportType of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}
