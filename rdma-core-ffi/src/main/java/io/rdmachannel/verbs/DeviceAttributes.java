// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_device_attr;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * What a device is and how much of everything it has. The limits are upper bounds: memory, permissions and other
 * programs may leave less, and a driver may report values that it cannot grant. See {@code ibv_query_device(3)}.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close.
 *
 * @param firmwareVersion the firmware's version; may be empty, as on Soft-RoCE
 * @param nodeGuid the identifier of the device, as a number
 * @param systemImageGuid the identifier of the whole adapter, as a number
 * @param vendorId the vendor's number, as IEEE gives them
 * @param vendorPartId the vendor's number for the part
 * @param hardwareVersion the version of the hardware
 * @param portCount how many ports there are, counted from 1
 * @param localAckDelay how long the device takes to acknowledge, 4.096 microseconds times 2 to this power
 * @param atomicCapability against what atomics are atomic
 * @param capabilities what else it can do, unmodifiable
 * @param queueLimits limits of queues and what belongs to them
 * @param memoryLimits limits of memory regions and windows
 * @param readLimits limits of reads and atomics under way
 * @param rareLimits limits of what few programs use
 */
public record DeviceAttributes(
        String firmwareVersion,
        long nodeGuid,
        long systemImageGuid,
        long vendorId,
        long vendorPartId,
        long hardwareVersion,
        int portCount,
        int localAckDelay,
        AtomicCapability atomicCapability,
        Set<DeviceCapability> capabilities,
        QueueLimits queueLimits,
        MemoryLimits memoryLimits,
        ReadLimits readLimits,
        RareLimits rareLimits) {
    /** Checks that everything is there. */
    public DeviceAttributes {
        Objects.requireNonNull(firmwareVersion, "firmwareVersion");
        Objects.requireNonNull(atomicCapability, "atomicCapability");
        EnumSet<DeviceCapability> ordered = EnumSet.noneOf(DeviceCapability.class);
        ordered.addAll(capabilities);
        capabilities = Collections.unmodifiableSet(ordered);
        Objects.requireNonNull(queueLimits, "queueLimits");
        Objects.requireNonNull(memoryLimits, "memoryLimits");
        Objects.requireNonNull(readLimits, "readLimits");
        Objects.requireNonNull(rareLimits, "rareLimits");
    }

    /**
     * How many queues there can be, and how large.
     *
     * @param maxQueuePairs queue pairs
     * @param maxWorkRequests outstanding work requests of one send or receive queue
     * @param maxScatterGather scatter-gather entries of one request, reads excepted
     * @param maxReadScatterGather scatter-gather entries of one read
     * @param maxCompletionQueues completion queues
     * @param maxCompletionQueueEntries entries of one completion queue
     * @param maxSharedReceiveQueues shared receive queues
     * @param maxSharedReceiveRequests outstanding requests of one shared receive queue
     * @param maxSharedReceiveScatterGather scatter-gather entries of one request to a shared receive queue
     * @param maxProtectionDomains protection domains
     * @param maxAddressHandles address handles
     * @param maxPartitions partition keys, 0 to 65535
     */
    public record QueueLimits(
            int maxQueuePairs,
            int maxWorkRequests,
            int maxScatterGather,
            int maxReadScatterGather,
            int maxCompletionQueues,
            int maxCompletionQueueEntries,
            int maxSharedReceiveQueues,
            int maxSharedReceiveRequests,
            int maxSharedReceiveScatterGather,
            int maxProtectionDomains,
            int maxAddressHandles,
            int maxPartitions) {}

    /**
     * How much memory can be registered.
     *
     * @param maxRegions memory regions
     * @param maxRegionSize bytes of one region; {@link Long#MAX_VALUE} for that much or more
     * @param pageSizes the supported page sizes as a mask, each a power of two
     * @param maxWindows memory windows
     */
    public record MemoryLimits(int maxRegions, long maxRegionSize, long pageSizes, int maxWindows) {
        /**
         * Says whether pages of a size are supported.
         *
         * @param bytes a power of two
         * @return true when they are
         * @throws IllegalArgumentException for anything but a power of two
         */
        public boolean supportsPageSize(long bytes) {
            if (Long.bitCount(bytes) != 1) {
                throw new IllegalArgumentException(
                        "page size %d is not a power of two: take one, such as 4096".formatted(bytes));
            }
            return (pageSizes & bytes) != 0;
        }
    }

    /**
     * How many reads and atomics can be under way. For a connection take the smaller of one side's
     * {@code maxInitiatedPerQueuePair} and the other side's {@code maxPerQueuePair}.
     *
     * @param maxPerQueuePair those of the peer that one queue pair can serve at a time
     * @param maxInitiatedPerQueuePair those that one queue pair can ask for at a time
     * @param maxServed those that the device can serve for all queue pairs together
     */
    public record ReadLimits(int maxPerQueuePair, int maxInitiatedPerQueuePair, int maxServed) {}

    /**
     * Limits of what few programs or no present devices use.
     *
     * @param maxMulticastGroups multicast groups
     * @param maxMulticastQueuePairs queue pairs in one multicast group
     * @param maxTotalMulticastQueuePairs queue pairs in all multicast groups together
     * @param maxRawIpv6QueuePairs queue pairs for raw IPv6
     * @param maxRawEthertypeQueuePairs queue pairs for raw Ethertype datagrams
     * @param maxFastRegions fast memory regions
     * @param maxMapsPerFastRegion mappings of one fast memory region before it must be unmapped
     * @param maxReliableDatagramContexts end-to-end contexts of reliable datagrams
     * @param maxReliableDatagramDomains domains of reliable datagrams
     * @param maxReadsPerContext reads that one end-to-end context can serve
     * @param maxInitiatedReadsPerContext reads that one end-to-end context can ask for
     */
    public record RareLimits(
            int maxMulticastGroups,
            int maxMulticastQueuePairs,
            int maxTotalMulticastQueuePairs,
            int maxRawIpv6QueuePairs,
            int maxRawEthertypeQueuePairs,
            int maxFastRegions,
            int maxMapsPerFastRegion,
            int maxReliableDatagramContexts,
            int maxReliableDatagramDomains,
            int maxReadsPerContext,
            int maxInitiatedReadsPerContext) {}

    /** Reads a {@code struct ibv_device_attr} that a query has filled. */
    static DeviceAttributes from(MemorySegment attributes) {
        return new DeviceAttributes(
                text(ibv_device_attr.fw_ver(attributes)),
                fromNetworkOrder(ibv_device_attr.node_guid(attributes)),
                fromNetworkOrder(ibv_device_attr.sys_image_guid(attributes)),
                Integer.toUnsignedLong(ibv_device_attr.vendor_id(attributes)),
                Integer.toUnsignedLong(ibv_device_attr.vendor_part_id(attributes)),
                Integer.toUnsignedLong(ibv_device_attr.hw_ver(attributes)),
                Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(attributes)),
                Byte.toUnsignedInt(ibv_device_attr.local_ca_ack_delay(attributes)),
                AtomicCapability.of(ibv_device_attr.atomic_cap(attributes)),
                DeviceCapability.of(ibv_device_attr.device_cap_flags(attributes)),
                queueLimits(attributes),
                memoryLimits(attributes),
                readLimits(attributes),
                rareLimits(attributes));
    }

    private static QueueLimits queueLimits(MemorySegment attributes) {
        return new QueueLimits(
                ibv_device_attr.max_qp(attributes),
                ibv_device_attr.max_qp_wr(attributes),
                ibv_device_attr.max_sge(attributes),
                ibv_device_attr.max_sge_rd(attributes),
                ibv_device_attr.max_cq(attributes),
                ibv_device_attr.max_cqe(attributes),
                ibv_device_attr.max_srq(attributes),
                ibv_device_attr.max_srq_wr(attributes),
                ibv_device_attr.max_srq_sge(attributes),
                ibv_device_attr.max_pd(attributes),
                ibv_device_attr.max_ah(attributes),
                Short.toUnsignedInt(ibv_device_attr.max_pkeys(attributes)));
    }

    private static MemoryLimits memoryLimits(MemorySegment attributes) {
        long maxRegionSize = ibv_device_attr.max_mr_size(attributes);
        return new MemoryLimits(
                ibv_device_attr.max_mr(attributes),
                // Many drivers report all 64 bits; no Java segment is longer than a positive long.
                maxRegionSize < 0 ? Long.MAX_VALUE : maxRegionSize,
                ibv_device_attr.page_size_cap(attributes),
                ibv_device_attr.max_mw(attributes));
    }

    private static ReadLimits readLimits(MemorySegment attributes) {
        return new ReadLimits(
                ibv_device_attr.max_qp_rd_atom(attributes),
                ibv_device_attr.max_qp_init_rd_atom(attributes),
                ibv_device_attr.max_res_rd_atom(attributes));
    }

    private static RareLimits rareLimits(MemorySegment attributes) {
        return new RareLimits(
                ibv_device_attr.max_mcast_grp(attributes),
                ibv_device_attr.max_mcast_qp_attach(attributes),
                ibv_device_attr.max_total_mcast_qp_attach(attributes),
                ibv_device_attr.max_raw_ipv6_qp(attributes),
                ibv_device_attr.max_raw_ethy_qp(attributes),
                ibv_device_attr.max_fmr(attributes),
                ibv_device_attr.max_map_per_fmr(attributes),
                ibv_device_attr.max_ee(attributes),
                ibv_device_attr.max_rdd(attributes),
                ibv_device_attr.max_ee_rd_atom(attributes),
                ibv_device_attr.max_ee_init_rd_atom(attributes));
    }

    /** The text of a fixed array, which a driver may have filled to the last byte. */
    private static String text(MemorySegment array) {
        byte[] bytes = array.toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static long fromNetworkOrder(long value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }
}
