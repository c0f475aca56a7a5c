// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_ah_attr;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/**
 * How packets get from a local port to a peer: by LID within an InfiniBand subnet, by GID on RoCE and between subnets.
 * See {@code ibv_create_ah(3)} and {@code ibv_modify_qp(3)}.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close. Begin with {@link #toGid} or
 * {@link #toLid}, and change the rest by the {@code with} methods.
 *
 * @param port the local port, 1 to 255
 * @param destinationLid the peer's LID, 0 to 65535; 0 where only the GID counts, as on RoCE
 * @param serviceLevel the service level, 0 to 15; on RoCE it is the priority, 0 to 7
 * @param sourcePathBits which of the local port's LIDs is the source, 0 to 127; 0 for the base LID
 * @param staticRate the code of the fastest rate to send at, 0 to 255; 0 for that of the port
 * @param globalRoute the part that goes by GID, empty for none
 */
public record AddressVector(
        int port,
        int destinationLid,
        int serviceLevel,
        int sourcePathBits,
        int staticRate,
        Optional<GlobalRoute> globalRoute) {
    /** What C calls IBV_RATE_MAX; not read from there, so that making a value needs no native access. */
    static final int PORT_RATE = 0;

    private static final int SERVICE_LEVEL_MAX = 15;
    private static final int PATH_BITS_MAX = 127;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when one is out of its range, or there is neither a LID nor a global route
     */
    public AddressVector {
        Objects.requireNonNull(globalRoute, "globalRoute");
        Ranges.requirePort(port);
        Ranges.require(
                "destination LID", destinationLid, 0, Ranges.UNSIGNED_SHORT_MAX, "it has 16 bits; take the peer's lid");
        Ranges.require("service level", serviceLevel, 0, SERVICE_LEVEL_MAX, "it has 4 bits; 0 is usual");
        Ranges.require("source path bits", sourcePathBits, 0, PATH_BITS_MAX, "they are 7 bits; 0 is usual");
        Ranges.require(
                "static rate",
                staticRate,
                0,
                Ranges.UNSIGNED_BYTE_MAX,
                "it is a code, not a number of bits; 0 is the port's own rate");
        if (destinationLid == 0 && globalRoute.isEmpty()) {
            throw new IllegalArgumentException(
                    "destination LID is 0 and there is no global route, so nobody is addressed:"
                            + " on InfiniBand give the peer's LID (1 to 65535),"
                            + " on RoCE a global route with the peer's GID");
        }
    }

    /**
     * Addresses a peer in the same InfiniBand subnet.
     *
     * @param port the local port, 1 to 255
     * @param destinationLid the peer's LID, 1 to 65535
     * @return the address
     * @throws IllegalArgumentException when one is out of its range
     */
    public static AddressVector toLid(int port, int destinationLid) {
        return new AddressVector(port, destinationLid, 0, 0, PORT_RATE, Optional.empty());
    }

    /**
     * Addresses a peer by GID, as RoCE needs it.
     *
     * @param port the local port, 1 to 255
     * @param route the peer's GID, and the local one by its index
     * @return the address
     * @throws IllegalArgumentException when the port is out of its range
     */
    public static AddressVector toGid(int port, GlobalRoute route) {
        return new AddressVector(port, 0, 0, 0, PORT_RATE, Optional.of(route));
    }

    /**
     * Says whether packets carry a global routing header.
     *
     * @return true when there is a global route
     */
    public boolean isGlobal() {
        return globalRoute.isPresent();
    }

    /**
     * Gives this address with another LID.
     *
     * @param value 0 to 65535
     * @return a new address
     * @throws IllegalArgumentException when it is out of its range, or 0 without a global route
     */
    public AddressVector withDestinationLid(int value) {
        return new AddressVector(port, value, serviceLevel, sourcePathBits, staticRate, globalRoute);
    }

    /**
     * Gives this address with another service level.
     *
     * @param value 0 to 15
     * @return a new address
     * @throws IllegalArgumentException when it is out of its range
     */
    public AddressVector withServiceLevel(int value) {
        return new AddressVector(port, destinationLid, value, sourcePathBits, staticRate, globalRoute);
    }

    /**
     * Gives this address with other source path bits.
     *
     * @param value 0 to 127
     * @return a new address
     * @throws IllegalArgumentException when they are out of their range
     */
    public AddressVector withSourcePathBits(int value) {
        return new AddressVector(port, destinationLid, serviceLevel, value, staticRate, globalRoute);
    }

    /**
     * Gives this address with another rate.
     *
     * @param value the code, 0 to 255
     * @return a new address
     * @throws IllegalArgumentException when it is out of its range
     */
    public AddressVector withStaticRate(int value) {
        return new AddressVector(port, destinationLid, serviceLevel, sourcePathBits, value, globalRoute);
    }

    /**
     * Gives this address with a global route.
     *
     * @param route the route
     * @return a new address
     */
    public AddressVector withGlobalRoute(GlobalRoute route) {
        return new AddressVector(port, destinationLid, serviceLevel, sourcePathBits, staticRate, Optional.of(route));
    }

    /**
     * Reads a {@code struct ibv_ah_attr}; empty for one that addresses nobody, as of a queue pair not yet connected.
     */
    static Optional<AddressVector> from(MemorySegment attributes) {
        int port = Byte.toUnsignedInt(ibv_ah_attr.port_num(attributes));
        int lid = Short.toUnsignedInt(ibv_ah_attr.dlid(attributes));
        boolean isGlobal = ibv_ah_attr.is_global(attributes) != 0;
        if (port == 0 || lid == 0 && !isGlobal) {
            return Optional.empty();
        }
        return Optional.of(new AddressVector(
                port,
                lid,
                ibv_ah_attr.sl(attributes) & SERVICE_LEVEL_MAX,
                ibv_ah_attr.src_path_bits(attributes) & PATH_BITS_MAX,
                Byte.toUnsignedInt(ibv_ah_attr.static_rate(attributes)),
                isGlobal ? Optional.of(GlobalRoute.from(ibv_ah_attr.grh(attributes))) : Optional.empty()));
    }

    /** Writes all of a {@code struct ibv_ah_attr}; what a route would fill is zeroed when there is none. */
    void writeTo(MemorySegment attributes) {
        attributes.asSlice(0, ibv_ah_attr.sizeof()).fill((byte) 0);
        globalRoute.ifPresent(route -> route.writeTo(ibv_ah_attr.grh(attributes)));
        ibv_ah_attr.dlid(attributes, (short) destinationLid);
        ibv_ah_attr.sl(attributes, (byte) serviceLevel);
        ibv_ah_attr.src_path_bits(attributes, (byte) sourcePathBits);
        ibv_ah_attr.static_rate(attributes, (byte) staticRate);
        ibv_ah_attr.is_global(attributes, (byte) (isGlobal() ? 1 : 0));
        ibv_ah_attr.port_num(attributes, (byte) port);
    }
}
