// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_ACCESS_LOCAL_WRITE;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_ACCESS_REMOTE_ATOMIC;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_ACCESS_REMOTE_READ;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_ACCESS_REMOTE_WRITE;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QPS_INIT;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QPS_RTR;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QPS_RTS;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_ACCESS_FLAGS;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_AV;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_DEST_QPN;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_MAX_DEST_RD_ATOMIC;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_MAX_QP_RD_ATOMIC;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_MIN_RNR_TIMER;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_PATH_MTU;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_PKEY_INDEX;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_PORT;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_QKEY;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_RETRY_CNT;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_RNR_RETRY;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_RQ_PSN;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_SQ_PSN;
import static io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants.IBV_QP_TIMEOUT;

import io.rdmachannel.ffi.generated.ibverbs.ibv_ah_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_global_route;
import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_attr;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.AddressVector;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GlobalRoute;
import io.rdmachannel.verbs.PathMtu;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * Makes a change of a queue pair of the attributes that the connection manager negotiated. Bits of the mask that no
 * connection of it uses (alternate paths) or that kernels set for themselves are left out.
 */
final class NegotiatedChange {
    /** The enumeration of C counts up from 1 for 256 bytes, each value twice the size. */
    private static final int MTU_UNIT_BYTES = 128;

    private static final int SERVICE_LEVEL_BITS = 0xF;
    private static final int PATH_BITS = 0x7F;
    private static final int FLOW_LABEL_BITS = 0xF_FFFF;
    private static final int PACKET_SEQUENCE_NUMBER_BITS = 0xFF_FFFF;

    private final MemorySegment attributes;
    private final int mask;
    private final QueuePairChange change;

    private NegotiatedChange(MemorySegment attributes, int mask, QueuePairState target) {
        this.attributes = attributes;
        this.mask = mask;
        this.change = QueuePairChange.to(target);
    }

    /** The number of a state that can be asked for. */
    static int rawState(QueuePairState target) {
        return switch (target) {
            case INIT -> IBV_QPS_INIT();
            case READY_TO_RECEIVE -> IBV_QPS_RTR();
            case READY_TO_SEND -> IBV_QPS_RTS();
            default ->
                throw new IllegalArgumentException("target is " + target + ", and the connection manager knows the"
                        + " attributes of INIT, READY_TO_RECEIVE and READY_TO_SEND only; use QueuePairChange.to");
        };
    }

    /** Reads a {@code struct ibv_qp_attr} as far as the mask says that it is filled. */
    static QueuePairChange of(QueuePairState target, MemorySegment attributes, int mask) {
        NegotiatedChange negotiated = new NegotiatedChange(attributes, mask, target);
        negotiated.addBasics();
        negotiated.addPath();
        negotiated.addNumbers();
        negotiated.addLimits();
        return negotiated.change;
    }

    /** Reads a {@code struct ibv_ah_attr}; empty for one that addresses nobody. */
    static Optional<AddressVector> addressVector(MemorySegment address) {
        int port = Byte.toUnsignedInt(ibv_ah_attr.port_num(address));
        int lid = Short.toUnsignedInt(ibv_ah_attr.dlid(address));
        boolean isGlobal = ibv_ah_attr.is_global(address) != 0;
        if (port == 0 || lid == 0 && !isGlobal) {
            return Optional.empty();
        }
        return Optional.of(new AddressVector(
                port,
                lid,
                ibv_ah_attr.sl(address) & SERVICE_LEVEL_BITS,
                ibv_ah_attr.src_path_bits(address) & PATH_BITS,
                Byte.toUnsignedInt(ibv_ah_attr.static_rate(address)),
                isGlobal ? Optional.of(globalRoute(ibv_ah_attr.grh(address))) : Optional.empty()));
    }

    private static GlobalRoute globalRoute(MemorySegment route) {
        MemorySegment destination = ibv_global_route.dgid(route).asSlice(0, Gid.BYTES);
        return new GlobalRoute(
                Gid.of(destination.toArray(ValueLayout.JAVA_BYTE)),
                Byte.toUnsignedInt(ibv_global_route.sgid_index(route)),
                ibv_global_route.flow_label(route) & FLOW_LABEL_BITS,
                Byte.toUnsignedInt(ibv_global_route.hop_limit(route)),
                Byte.toUnsignedInt(ibv_global_route.traffic_class(route)));
    }

    private void addBasics() {
        if (has(IBV_QP_PKEY_INDEX())) {
            change.partitionKeyIndex(Short.toUnsignedInt(ibv_qp_attr.pkey_index(attributes)));
        }
        if (has(IBV_QP_PORT())) {
            change.port(Byte.toUnsignedInt(ibv_qp_attr.port_num(attributes)));
        }
        if (has(IBV_QP_ACCESS_FLAGS())) {
            change.access(access(ibv_qp_attr.qp_access_flags(attributes)));
        }
        if (has(IBV_QP_QKEY())) {
            change.queueKey(ibv_qp_attr.qkey(attributes));
        }
    }

    private void addPath() {
        if (has(IBV_QP_AV())) {
            addressVector(ibv_qp_attr.ah_attr(attributes)).ifPresent(change::addressVector);
        }
        if (has(IBV_QP_PATH_MTU())) {
            change.pathMtu(PathMtu.ofBytes(MTU_UNIT_BYTES << ibv_qp_attr.path_mtu(attributes)));
        }
        if (has(IBV_QP_DEST_QPN())) {
            change.destinationQueuePairNumber(ibv_qp_attr.dest_qp_num(attributes));
        }
    }

    private void addNumbers() {
        IntUnaryOperator limited = number -> number & PACKET_SEQUENCE_NUMBER_BITS;
        if (has(IBV_QP_RQ_PSN())) {
            change.receivePacketSequenceNumber(limited.applyAsInt(ibv_qp_attr.rq_psn(attributes)));
        }
        if (has(IBV_QP_SQ_PSN())) {
            change.sendPacketSequenceNumber(limited.applyAsInt(ibv_qp_attr.sq_psn(attributes)));
        }
        if (has(IBV_QP_MAX_QP_RD_ATOMIC())) {
            change.maxOutstandingReads(Byte.toUnsignedInt(ibv_qp_attr.max_rd_atomic(attributes)));
        }
        if (has(IBV_QP_MAX_DEST_RD_ATOMIC())) {
            change.maxResponderReads(Byte.toUnsignedInt(ibv_qp_attr.max_dest_rd_atomic(attributes)));
        }
    }

    private void addLimits() {
        if (has(IBV_QP_MIN_RNR_TIMER())) {
            change.minRnrTimer(ibv_qp_attr.min_rnr_timer(attributes));
        }
        if (has(IBV_QP_TIMEOUT())) {
            change.timeout(ibv_qp_attr.timeout(attributes));
        }
        if (has(IBV_QP_RETRY_CNT())) {
            change.retryCount(ibv_qp_attr.retry_cnt(attributes));
        }
        if (has(IBV_QP_RNR_RETRY())) {
            change.rnrRetry(ibv_qp_attr.rnr_retry(attributes));
        }
    }

    private boolean has(int bit) {
        return (mask & bit) != 0;
    }

    private static Set<AccessFlag> access(int bits) {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        addIf(flags, AccessFlag.LOCAL_WRITE, bits & IBV_ACCESS_LOCAL_WRITE());
        addIf(flags, AccessFlag.REMOTE_WRITE, bits & IBV_ACCESS_REMOTE_WRITE());
        addIf(flags, AccessFlag.REMOTE_READ, bits & IBV_ACCESS_REMOTE_READ());
        addIf(flags, AccessFlag.REMOTE_ATOMIC, bits & IBV_ACCESS_REMOTE_ATOMIC());
        return flags;
    }

    private static void addIf(EnumSet<AccessFlag> flags, AccessFlag flag, int bit) {
        if (bit != 0) {
            flags.add(flag);
        }
    }
}
