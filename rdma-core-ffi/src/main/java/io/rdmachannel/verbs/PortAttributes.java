// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_port_attr;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What a port was when it was asked. Most of it changes when the link does: ask again after an event of the port. See
 * {@code ibv_query_port(3)}.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close.
 *
 * @param port the number of the port, 1 to 255
 * @param state whether it can be used
 * @param linkLayer InfiniBand or Ethernet, which decides how peers are addressed
 * @param maxMtu the largest MTU that the port supports
 * @param activeMtu the largest MTU that can be used now; no path may use more
 * @param maxMessageSize the most bytes in one message
 * @param gidTableLength how many entries, filled or not, the GID table has
 * @param partitionKeyTableLength how many entries the partition key table has
 * @param lid the local identifier within an InfiniBand subnet, 0 to 65535; 0 on Ethernet
 * @param subnet what the subnet manager has set; of little meaning on Ethernet
 * @param link width, speed and physical state of the link
 * @param capabilities what the port can do, as bits
 */
public record PortAttributes(
        int port,
        PortState state,
        LinkLayer linkLayer,
        PathMtu maxMtu,
        PathMtu activeMtu,
        long maxMessageSize,
        int gidTableLength,
        int partitionKeyTableLength,
        int lid,
        Subnet subnet,
        Link link,
        Capabilities capabilities) {
    /**
     * Checks that everything is there.
     *
     * @throws IllegalArgumentException when the port is out of its range
     */
    public PortAttributes {
        Ranges.requirePort(port);
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(linkLayer, "linkLayer");
        Objects.requireNonNull(maxMtu, "maxMtu");
        Objects.requireNonNull(activeMtu, "activeMtu");
        Objects.requireNonNull(subnet, "subnet");
        Objects.requireNonNull(link, "link");
        Objects.requireNonNull(capabilities, "capabilities");
    }

    /**
     * The port's place in an InfiniBand subnet.
     *
     * @param smLid the LID of the subnet manager, 0 to 65535
     * @param smServiceLevel the service level to the subnet manager, 0 to 15
     * @param lmc how many low bits of the LID choose between paths, 0 to 7
     * @param subnetTimeout the longest time through the subnet, 4.096 microseconds times 2 to this power
     * @param initTypeReply what kind of initialization the subnet manager did
     * @param badPartitionKeyCounter packets refused for their partition key
     * @param queueKeyViolationCounter packets refused for their queue key
     */
    public record Subnet(
            int smLid,
            int smServiceLevel,
            int lmc,
            int subnetTimeout,
            int initTypeReply,
            long badPartitionKeyCounter,
            long queueKeyViolationCounter) {}

    /**
     * The link, in the codes of the InfiniBand specification.
     *
     * @param activeWidth the code of the width; {@link #lanes()} has the number
     * @param activeSpeed the code of the speed of one lane; {@link #laneMegabitsPerSecond()} has the number
     * @param physicalState 1 sleep, 2 polling, 3 disabled, 4 training, 5 link up, 6 error recovery, 7 test
     * @param maxVirtualLanes the code of the number of virtual lanes: 1 for one, 2 for two, 3 for four, 4 for eight, 5
     *     for fifteen
     */
    public record Link(int activeWidth, int activeSpeed, int physicalState, int maxVirtualLanes) {
        /**
         * Tells the width.
         *
         * @return 1, 2, 4, 8 or 12 lanes; 0 for a code that this version does not know
         */
        public int lanes() {
            return switch (activeWidth) {
                case 1 -> 1;
                case 2 -> 4;
                case 4 -> 8;
                case 8 -> 12;
                case 16 -> 2;
                default -> 0;
            };
        }

        /**
         * Tells the speed.
         *
         * @return megabits per second of one lane, rounded as it is usually quoted; 0 for a code that this version
         *     does not know
         */
        public int laneMegabitsPerSecond() {
            return switch (activeSpeed) {
                case 1 -> 2_500;
                case 2 -> 5_000;
                case 4, 8 -> 10_000;
                case 16 -> 14_000;
                case 32 -> 25_000;
                case 64 -> 50_000;
                case 128 -> 100_000;
                default -> 0;
            };
        }
    }

    /**
     * What the port can do, as the bits that the header defines.
     *
     * @param capabilityFlags capability mask of the InfiniBand specification
     * @param capabilityFlags2 its continuation, 16 bits
     * @param flags flags of rdma-core, 8 bits: the lowest says that every address needs a global route
     */
    public record Capabilities(int capabilityFlags, int capabilityFlags2, int flags) {}

    /** Reads a {@code struct ibv_port_attr} that a query of this port has filled. */
    static PortAttributes from(int port, MemorySegment attributes) {
        return new PortAttributes(
                port,
                PortState.of(ibv_port_attr.state(attributes)),
                LinkLayer.of(Byte.toUnsignedInt(ibv_port_attr.link_layer(attributes))),
                PathMtu.of(ibv_port_attr.max_mtu(attributes)),
                PathMtu.of(ibv_port_attr.active_mtu(attributes)),
                Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(attributes)),
                ibv_port_attr.gid_tbl_len(attributes),
                Short.toUnsignedInt(ibv_port_attr.pkey_tbl_len(attributes)),
                Short.toUnsignedInt(ibv_port_attr.lid(attributes)),
                subnet(attributes),
                link(attributes),
                capabilities(attributes));
    }

    private static Subnet subnet(MemorySegment attributes) {
        return new Subnet(
                Short.toUnsignedInt(ibv_port_attr.sm_lid(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.sm_sl(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.lmc(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.subnet_timeout(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.init_type_reply(attributes)),
                Integer.toUnsignedLong(ibv_port_attr.bad_pkey_cntr(attributes)),
                Integer.toUnsignedLong(ibv_port_attr.qkey_viol_cntr(attributes)));
    }

    private static Link link(MemorySegment attributes) {
        return new Link(
                Byte.toUnsignedInt(ibv_port_attr.active_width(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.active_speed(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.phys_state(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.max_vl_num(attributes)));
    }

    private static Capabilities capabilities(MemorySegment attributes) {
        return new Capabilities(
                ibv_port_attr.port_cap_flags(attributes),
                Short.toUnsignedInt(ibv_port_attr.port_cap_flags2(attributes)),
                Byte.toUnsignedInt(ibv_port_attr.flags(attributes)));
    }
}
