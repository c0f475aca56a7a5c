// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.Set;
import java.util.function.IntSupplier;

/** What a device can do beyond the basics. See {@code ibv_query_device(3)}. */
public enum DeviceCapability {
    /** The depths of a queue pair can be changed. */
    RESIZE_QUEUES(ibverbs_constants::IBV_DEVICE_RESIZE_MAX_WR),
    /** Packets with a wrong partition key are counted. */
    BAD_PARTITION_KEY_COUNTER(ibverbs_constants::IBV_DEVICE_BAD_PKEY_CNTR),
    /** Packets with a wrong queue key are counted. */
    BAD_QUEUE_KEY_COUNTER(ibverbs_constants::IBV_DEVICE_BAD_QKEY_CNTR),
    /** Multicast of raw packets. */
    RAW_MULTICAST(ibverbs_constants::IBV_DEVICE_RAW_MULTI),
    /** Connections can have an alternate path. */
    AUTOMATIC_PATH_MIGRATION(ibverbs_constants::IBV_DEVICE_AUTO_PATH_MIG),
    /** A queue pair can be moved to another port. */
    CHANGE_PHYSICAL_PORT(ibverbs_constants::IBV_DEVICE_CHANGE_PHY_PORT),
    /** The port of an address handle must be that of the queue pair. */
    ADDRESS_PORT_ENFORCED(ibverbs_constants::IBV_DEVICE_UD_AV_PORT_ENFORCE),
    /** A change of state may name the state it starts from. */
    CURRENT_STATE_MODIFIER(ibverbs_constants::IBV_DEVICE_CURR_QP_STATE_MOD),
    /** A port can be shut down. */
    SHUTDOWN_PORT(ibverbs_constants::IBV_DEVICE_SHUTDOWN_PORT),
    /** The kind of initialization can be set. */
    INIT_TYPE(ibverbs_constants::IBV_DEVICE_INIT_TYPE),
    /** Tells by an event that a port became active. */
    PORT_ACTIVE_EVENT(ibverbs_constants::IBV_DEVICE_PORT_ACTIVE_EVENT),
    /** The system image GUID means something. */
    SYSTEM_IMAGE_GUID(ibverbs_constants::IBV_DEVICE_SYS_IMAGE_GUID),
    /** Asks a peer to wait when no receive is posted. */
    RECEIVER_NOT_READY(ibverbs_constants::IBV_DEVICE_RC_RNR_NAK_GEN),
    /** The depth of a shared receive queue can be changed. */
    SHARED_RECEIVE_QUEUE_RESIZE(ibverbs_constants::IBV_DEVICE_SRQ_RESIZE),
    /** Can notify after a number of completions. */
    NOTIFY_AFTER_SEVERAL(ibverbs_constants::IBV_DEVICE_N_NOTIFY_CQ),
    /** Memory windows of type 1. */
    MEMORY_WINDOW(ibverbs_constants::IBV_DEVICE_MEM_WINDOW),
    /** IP checksums by the adapter, for datagrams. */
    DATAGRAM_IP_CHECKSUM(ibverbs_constants::IBV_DEVICE_UD_IP_CSUM),
    /** XRC queue pairs. */
    EXTENDED_RELIABLE_CONNECTION(ibverbs_constants::IBV_DEVICE_XRC),
    /** Fast registration, local invalidation, send with invalidate. */
    MEMORY_MANAGEMENT_EXTENSIONS(ibverbs_constants::IBV_DEVICE_MEM_MGT_EXTENSIONS),
    /** Memory windows of type 2 that belong to a queue pair number. */
    MEMORY_WINDOW_TYPE_2A(ibverbs_constants::IBV_DEVICE_MEM_WINDOW_TYPE_2A),
    /** Memory windows of type 2 that belong to a queue pair and a protection domain. */
    MEMORY_WINDOW_TYPE_2B(ibverbs_constants::IBV_DEVICE_MEM_WINDOW_TYPE_2B),
    /** IP checksums by the adapter, for reliable connections. */
    CONNECTION_IP_CHECKSUM(ibverbs_constants::IBV_DEVICE_RC_IP_CSUM),
    /** IP checksums by the adapter, for raw packets. */
    RAW_IP_CHECKSUM(ibverbs_constants::IBV_DEVICE_RAW_IP_CSUM),
    /** Packets can be steered to queue pairs by rules. */
    FLOW_STEERING(ibverbs_constants::IBV_DEVICE_MANAGED_FLOW_STEERING);

    private final IntSupplier bit;

    DeviceCapability(IntSupplier bit) {
        this.bit = bit;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final BitFlags<DeviceCapability> TABLE = new BitFlags<>(DeviceCapability.class, flag -> flag.bit);
    }

    int bit() {
        return Numbers.TABLE.bit(this);
    }

    static int bits(Set<DeviceCapability> capabilities) {
        return Numbers.TABLE.bits(capabilities);
    }

    static Set<DeviceCapability> of(int bits) {
        return Numbers.TABLE.of(bits);
    }
}
