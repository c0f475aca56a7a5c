// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_global_route;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The part of an address that goes by GID: always needed on RoCE, on InfiniBand for other subnets and multicast. See
 * {@code ibv_create_ah(3)}.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close.
 *
 * @param destination the GID of the peer or of a multicast group
 * @param sourceGidIndex which entry of the local port's GID table is the source, 0 to 255
 * @param flowLabel marks packets of one flow, 20 bits; 0 lets the kernel choose
 * @param hopLimit how many routers a packet may pass, 0 to 255
 * @param trafficClass the class for quality of service, 0 to 255; on RoCE v2 its upper 6 bits are the DSCP
 */
public record GlobalRoute(Gid destination, int sourceGidIndex, int flowLabel, int hopLimit, int trafficClass) {
    /** The hop limit of a route for which none is given. */
    public static final int DEFAULT_HOP_LIMIT = 64;

    private static final int FLOW_LABEL_MAX = 0xFFFFF;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when one is out of its range
     */
    public GlobalRoute {
        Objects.requireNonNull(destination, "destination");
        Ranges.require(
                "source GID index",
                sourceGidIndex,
                0,
                Ranges.UNSIGNED_BYTE_MAX,
                "addresses hold one byte for it; take an entry at the beginning of the GID table");
        Ranges.require("flow label", flowLabel, 0, FLOW_LABEL_MAX, "it has 20 bits; 0 is always right");
        Ranges.require(
                "hop limit",
                hopLimit,
                0,
                Ranges.UNSIGNED_BYTE_MAX,
                "it is one byte; " + DEFAULT_HOP_LIMIT + " is usual");
        Ranges.require(
                "traffic class", trafficClass, 0, Ranges.UNSIGNED_BYTE_MAX, "it is one byte; for a DSCP give DSCP * 4");
    }

    /**
     * Makes a route with the usual values: no flow label, {@value #DEFAULT_HOP_LIMIT} hops, traffic class 0.
     *
     * @param destination the GID of the peer or of a multicast group
     * @param sourceGidIndex which entry of the local port's GID table is the source, 0 to 255
     * @return the route
     * @throws IllegalArgumentException when the index is out of its range
     */
    public static GlobalRoute to(Gid destination, int sourceGidIndex) {
        return new GlobalRoute(destination, sourceGidIndex, 0, DEFAULT_HOP_LIMIT, 0);
    }

    /**
     * Gives this route with another flow label.
     *
     * @param value 20 bits
     * @return a new route
     * @throws IllegalArgumentException when it is out of its range
     */
    public GlobalRoute withFlowLabel(int value) {
        return new GlobalRoute(destination, sourceGidIndex, value, hopLimit, trafficClass);
    }

    /**
     * Gives this route with another hop limit.
     *
     * @param value 0 to 255
     * @return a new route
     * @throws IllegalArgumentException when it is out of its range
     */
    public GlobalRoute withHopLimit(int value) {
        return new GlobalRoute(destination, sourceGidIndex, flowLabel, value, trafficClass);
    }

    /**
     * Gives this route with another traffic class.
     *
     * @param value 0 to 255
     * @return a new route
     * @throws IllegalArgumentException when it is out of its range
     */
    public GlobalRoute withTrafficClass(int value) {
        return new GlobalRoute(destination, sourceGidIndex, flowLabel, hopLimit, value);
    }

    /** Reads a {@code struct ibv_global_route}. */
    static GlobalRoute from(MemorySegment route) {
        return new GlobalRoute(
                Gid.from(ibv_global_route.dgid(route)),
                Byte.toUnsignedInt(ibv_global_route.sgid_index(route)),
                ibv_global_route.flow_label(route) & FLOW_LABEL_MAX,
                Byte.toUnsignedInt(ibv_global_route.hop_limit(route)),
                Byte.toUnsignedInt(ibv_global_route.traffic_class(route)));
    }

    /** Writes a {@code struct ibv_global_route}. */
    void writeTo(MemorySegment route) {
        destination.writeTo(ibv_global_route.dgid(route));
        ibv_global_route.flow_label(route, flowLabel);
        ibv_global_route.sgid_index(route, (byte) sourceGidIndex);
        ibv_global_route.hop_limit(route, (byte) hopLimit);
        ibv_global_route.traffic_class(route, (byte) trafficClass);
    }
}
