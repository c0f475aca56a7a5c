// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rdmachannel.ffi.generated.ibverbs.ibv_ah_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_global_route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AddressVectorTest {
    private static final Gid PEER = Gid.parse("::ffff:10.0.0.2");

    private final MemorySegment segment = ibv_ah_attr.allocate(Arena.ofAuto());

    @Test
    void everyFieldHasItsOwnPlace() {
        GlobalRoute route = new GlobalRoute(PEER, 200, 0xFFFFF, 255, 104);
        AddressVector vector = new AddressVector(255, 0xFFFF, 15, 127, 200, Optional.of(route));

        vector.writeTo(segment);

        MemorySegment grh = ibv_ah_attr.grh(segment);
        assertThat(Gid.from(ibv_global_route.dgid(grh))).isEqualTo(PEER);
        assertThat(ibv_global_route.sgid_index(grh)).isEqualTo((byte) 200);
        assertThat(ibv_global_route.flow_label(grh)).isEqualTo(0xFFFFF);
        assertThat(ibv_global_route.hop_limit(grh)).isEqualTo((byte) 255);
        assertThat(ibv_global_route.traffic_class(grh)).isEqualTo((byte) 104);
        assertThat(ibv_ah_attr.dlid(segment)).isEqualTo((short) 0xFFFF);
        assertThat(ibv_ah_attr.sl(segment)).isEqualTo((byte) 15);
        assertThat(ibv_ah_attr.src_path_bits(segment)).isEqualTo((byte) 127);
        assertThat(ibv_ah_attr.static_rate(segment)).isEqualTo((byte) 200);
        assertThat(ibv_ah_attr.is_global(segment)).isEqualTo((byte) 1);
        assertThat(ibv_ah_attr.port_num(segment)).isEqualTo((byte) 255);
        assertThat(AddressVector.from(segment)).contains(vector);
    }

    @Test
    void aLidAddressLeavesNothingOfAnEarlierRoute() {
        segment.fill((byte) 0xFF);

        AddressVector.toLid(1, 7).writeTo(segment);

        assertThat(Gid.from(ibv_global_route.dgid(ibv_ah_attr.grh(segment))).isZero())
                .isTrue();
        assertThat(ibv_ah_attr.is_global(segment)).isZero();
        assertThat(AddressVector.from(segment)).contains(AddressVector.toLid(1, 7));
    }

    @Test
    void anEmptyStructureAddressesNobody() {
        assertThat(AddressVector.from(segment)).isEmpty();
        ibv_ah_attr.port_num(segment, (byte) 1);
        assertThat(AddressVector.from(segment)).isEmpty();
    }

    @Test
    void whatADriverLeavesInSpareBitsDoesNotBreakReading() {
        segment.fill((byte) 0xFF);

        AddressVector vector = AddressVector.from(segment).orElseThrow();

        assertThat(vector.serviceLevel()).isEqualTo(15);
        assertThat(vector.sourcePathBits()).isEqualTo(127);
        assertThat(vector.globalRoute().orElseThrow().flowLabel()).isEqualTo(0xFFFFF);
    }

    @Test
    void theUsualAddressesHaveTheUsualValues() {
        GlobalRoute route = GlobalRoute.to(PEER, 1);
        assertThat(route).isEqualTo(new GlobalRoute(PEER, 1, 0, 64, 0));
        assertThat(AddressVector.toGid(1, route)).isEqualTo(new AddressVector(1, 0, 0, 0, 0, Optional.of(route)));
        assertThat(AddressVector.toGid(1, route).isGlobal()).isTrue();
        assertThat(AddressVector.toLid(1, 5).isGlobal()).isFalse();
    }

    @Test
    void changesMakeNewValues() {
        AddressVector vector = AddressVector.toLid(1, 5)
                .withDestinationLid(6)
                .withServiceLevel(3)
                .withSourcePathBits(2)
                .withStaticRate(4)
                .withGlobalRoute(
                        GlobalRoute.to(PEER, 0).withFlowLabel(9).withHopLimit(8).withTrafficClass(7));

        assertThat(vector).isEqualTo(new AddressVector(1, 6, 3, 2, 4, Optional.of(new GlobalRoute(PEER, 0, 9, 8, 7))));
    }

    @Test
    void addressingNobodyIsRefusedWithTheRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressVector.toLid(1, 0))
                .withMessageContaining("destination LID is 0")
                .withMessageContaining("global route with the peer's GID");
    }

    @Test
    void valuesOutOfRangeAreRefusedByName() {
        AddressVector vector = AddressVector.toLid(1, 5);
        refused("port is 0", () -> AddressVector.toLid(0, 5));
        refused("port is 256", () -> AddressVector.toLid(256, 5));
        refused("destination LID is 65536", () -> AddressVector.toLid(1, 65536));
        refused("destination LID is -1", () -> AddressVector.toLid(1, -1));
        refused("service level is 16, which is not in the range 0 to 15", () -> vector.withServiceLevel(16));
        refused("service level is -1", () -> vector.withServiceLevel(-1));
        refused("source path bits is 128", () -> vector.withSourcePathBits(128));
        refused("static rate is 256", () -> vector.withStaticRate(256));
    }

    @Test
    void routesOutOfRangeAreRefusedByName() {
        GlobalRoute route = GlobalRoute.to(PEER, 0);
        refused("source GID index is 256", () -> GlobalRoute.to(PEER, 256));
        refused("source GID index is -1", () -> GlobalRoute.to(PEER, -1));
        refused("flow label is 1048576, which is not in the range 0 to 1048575", () -> route.withFlowLabel(1 << 20));
        refused("flow label is -1", () -> route.withFlowLabel(-1));
        refused("hop limit is 256", () -> route.withHopLimit(256));
        refused("traffic class is 256", () -> route.withTrafficClass(256));
        refused("traffic class is -1", () -> route.withTrafficClass(-1));
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> GlobalRoute.to(null, 0));
        assertThatNullPointerException().isThrownBy(() -> AddressVector.toGid(1, null));
        assertThatNullPointerException().isThrownBy(() -> new AddressVector(1, 1, 0, 0, 0, null));
    }

    private static void refused(String start, Runnable construction) {
        assertThatIllegalArgumentException().isThrownBy(construction::run).withMessageStartingWith(start);
    }
}
