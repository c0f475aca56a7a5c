// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rdmachannel.ffi.generated.ibverbs.ibv_ah_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_global_route;
import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import io.rdmachannel.verbs.AddressVector;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GlobalRoute;
import io.rdmachannel.verbs.QueuePairAttribute;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NegotiatedChangeTest {
    private static final Gid PEER = Gid.ofInetAddress(InetAddress.ofLiteral("10.77.0.1"));

    private final MemorySegment attributes = ibv_qp_attr.allocate(Arena.ofAuto());

    @Test
    void shouldGiveWhatTheMaskSaysAndNothingElse() {
        ibv_qp_attr.port_num(attributes, (byte) 1);
        int mask = ibverbs_constants.IBV_QP_STATE()
                | ibverbs_constants.IBV_QP_PORT()
                | ibverbs_constants.IBV_QP_PKEY_INDEX()
                | ibverbs_constants.IBV_QP_ACCESS_FLAGS();

        QueuePairChange change = NegotiatedChange.of(QueuePairState.INIT, attributes, mask);

        assertThat(change.given())
                .containsExactlyInAnyOrder(
                        QueuePairAttribute.STATE,
                        QueuePairAttribute.PORT,
                        QueuePairAttribute.PARTITION_KEY_INDEX,
                        QueuePairAttribute.ACCESS_FLAGS);
    }

    @Test
    void shouldGiveThePathOfAConnection() {
        fillAddress(ibv_qp_attr.ah_attr(attributes));
        ibv_qp_attr.path_mtu(attributes, ibverbs_constants.IBV_MTU_1024());
        ibv_qp_attr.dest_qp_num(attributes, 18);
        ibv_qp_attr.rq_psn(attributes, 0xFF_FFFF);
        int mask = ibverbs_constants.IBV_QP_AV()
                | ibverbs_constants.IBV_QP_PATH_MTU()
                | ibverbs_constants.IBV_QP_DEST_QPN()
                | ibverbs_constants.IBV_QP_RQ_PSN();

        QueuePairChange change = NegotiatedChange.of(QueuePairState.READY_TO_RECEIVE, attributes, mask);

        assertThat(change.given())
                .contains(
                        QueuePairAttribute.ADDRESS_VECTOR,
                        QueuePairAttribute.PATH_MTU,
                        QueuePairAttribute.DESTINATION_QUEUE_PAIR_NUMBER,
                        QueuePairAttribute.RECEIVE_PACKET_SEQUENCE_NUMBER);
        assertThat(change.toString()).contains("READY_TO_RECEIVE", PEER.toString());
    }

    @Test
    void shouldLeaveOutBitsThatKernelsSetForThemselves() {
        QueuePairChange change = NegotiatedChange.of(QueuePairState.READY_TO_SEND, attributes, 0x1E0_0001);

        assertThat(change.given()).containsExactly(QueuePairAttribute.STATE);
    }

    @Test
    void shouldReadAnAddressAsCWroteIt() {
        MemorySegment address = ibv_ah_attr.allocate(Arena.ofAuto());
        fillAddress(address);

        assertThat(NegotiatedChange.addressVector(address))
                .contains(AddressVector.toGid(1, new GlobalRoute(PEER, 2, 0x12345, 64, 8))
                        .withServiceLevel(3));
    }

    @Test
    void shouldReadNothingFromAnAddressOfNobody() {
        assertThat(NegotiatedChange.addressVector(ibv_ah_attr.allocate(Arena.ofAuto())))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"INIT", "READY_TO_RECEIVE", "READY_TO_SEND"})
    void shouldRefuseStatesThatNeedNothingFromThePeer(QueuePairState target) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NegotiatedChange.rawState(target))
                .withMessageContainingAll(target.name(), "READY_TO_SEND");
    }

    private static void fillAddress(MemorySegment address) {
        ibv_ah_attr.port_num(address, (byte) 1);
        ibv_ah_attr.sl(address, (byte) 3);
        ibv_ah_attr.is_global(address, (byte) 1);
        MemorySegment route = ibv_ah_attr.grh(address);
        MemorySegment.copy(MemorySegment.ofArray(PEER.bytes()), 0, ibv_global_route.dgid(route), 0, Gid.BYTES);
        ibv_global_route.sgid_index(route, (byte) 2);
        ibv_global_route.flow_label(route, 0x12345);
        ibv_global_route.hop_limit(route, (byte) 64);
        ibv_global_route.traffic_class(route, (byte) 8);
    }
}
