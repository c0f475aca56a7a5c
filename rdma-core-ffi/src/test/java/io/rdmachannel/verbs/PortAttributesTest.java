// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rdmachannel.ffi.generated.ibverbs.ibv_port_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortAttributesTest {
    @Test
    void readsWhatAPortOfSoftRoceReports() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            ibv_port_attr.state(attributes, ibverbs_constants.IBV_PORT_ACTIVE());
            ibv_port_attr.max_mtu(attributes, ibverbs_constants.IBV_MTU_4096());
            ibv_port_attr.active_mtu(attributes, ibverbs_constants.IBV_MTU_1024());
            ibv_port_attr.gid_tbl_len(attributes, 1024);
            ibv_port_attr.max_msg_sz(attributes, 0x800000);
            ibv_port_attr.pkey_tbl_len(attributes, (short) 1);
            ibv_port_attr.active_width(attributes, (byte) 1);
            ibv_port_attr.active_speed(attributes, (byte) 1);
            ibv_port_attr.phys_state(attributes, (byte) 5);
            ibv_port_attr.link_layer(attributes, (byte) ibverbs_constants.IBV_LINK_LAYER_ETHERNET());

            PortAttributes port = PortAttributes.from(1, attributes);

            assertThat(port.port()).isEqualTo(1);
            assertThat(port.state()).isEqualTo(PortState.ACTIVE);
            assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
            assertThat(port.maxMtu()).isEqualTo(PathMtu.MTU_4096);
            assertThat(port.activeMtu()).isEqualTo(PathMtu.MTU_1024);
            assertThat(port.maxMessageSize()).isEqualTo(8L << 20);
            assertThat(port.gidTableLength()).isEqualTo(1024);
            assertThat(port.partitionKeyTableLength()).isEqualTo(1);
            assertThat(port.lid()).isZero();
            assertThat(port.link()).isEqualTo(new PortAttributes.Link(1, 1, 5, 0));
        }
    }

    @Test
    void everyFieldIsUnsigned() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            attributes.fill((byte) 0xFF);

            PortAttributes port = PortAttributes.from(255, attributes);

            assertThat(port.maxMessageSize()).isEqualTo(0xFFFF_FFFFL);
            assertThat(port.partitionKeyTableLength()).isEqualTo(0xFFFF);
            assertThat(port.lid()).isEqualTo(0xFFFF);
            assertThat(port.subnet())
                    .isEqualTo(new PortAttributes.Subnet(0xFFFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFFFF_FFFFL, 0xFFFF_FFFFL));
            assertThat(port.link()).isEqualTo(new PortAttributes.Link(0xFF, 0xFF, 0xFF, 0xFF));
            assertThat(port.capabilities()).isEqualTo(new PortAttributes.Capabilities(-1, 0xFFFF, 0xFF));
        }
    }

    @Test
    void numbersThatAreNotKnownDoNotBreakIt() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            attributes.fill((byte) 0xFF);

            PortAttributes port = PortAttributes.from(1, attributes);

            assertThat(port.state()).isEqualTo(PortState.UNKNOWN);
            assertThat(port.linkLayer()).isEqualTo(LinkLayer.UNKNOWN);
            assertThat(port.maxMtu()).isEqualTo(PathMtu.UNKNOWN);
            assertThat(port.activeMtu()).isEqualTo(PathMtu.UNKNOWN);
            assertThat(port.link().lanes()).isZero();
            assertThat(port.link().laneMegabitsPerSecond()).isZero();
        }
    }

    @Test
    void everyFieldComesFromItsOwnPlace() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            ibv_port_attr.port_cap_flags(attributes, 11);
            ibv_port_attr.bad_pkey_cntr(attributes, 12);
            ibv_port_attr.qkey_viol_cntr(attributes, 13);
            ibv_port_attr.lid(attributes, (short) 14);
            ibv_port_attr.sm_lid(attributes, (short) 15);
            ibv_port_attr.lmc(attributes, (byte) 16);
            ibv_port_attr.max_vl_num(attributes, (byte) 17);
            ibv_port_attr.sm_sl(attributes, (byte) 18);
            ibv_port_attr.subnet_timeout(attributes, (byte) 19);
            ibv_port_attr.init_type_reply(attributes, (byte) 20);
            ibv_port_attr.active_width(attributes, (byte) 21);
            ibv_port_attr.active_speed(attributes, (byte) 22);
            ibv_port_attr.phys_state(attributes, (byte) 23);
            ibv_port_attr.flags(attributes, (byte) 24);
            ibv_port_attr.port_cap_flags2(attributes, (short) 25);

            PortAttributes port = PortAttributes.from(2, attributes);

            assertThat(port.lid()).isEqualTo(14);
            assertThat(port.subnet()).isEqualTo(new PortAttributes.Subnet(15, 18, 16, 19, 20, 12, 13));
            assertThat(port.link()).isEqualTo(new PortAttributes.Link(21, 22, 23, 17));
            assertThat(port.capabilities()).isEqualTo(new PortAttributes.Capabilities(11, 25, 24));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,4", "4,8", "8,12", "16,2", "0,0", "3,0"})
    void theCodeOfTheWidthGivesLanes(int code, int lanes) {
        assertThat(new PortAttributes.Link(code, 0, 0, 0).lanes()).isEqualTo(lanes);
    }

    @ParameterizedTest
    @CsvSource({"1,2500", "2,5000", "4,10000", "8,10000", "16,14000", "32,25000", "64,50000", "128,100000", "0,0"})
    void theCodeOfTheSpeedGivesMegabits(int code, int megabits) {
        assertThat(new PortAttributes.Link(0, code, 0, 0).laneMegabitsPerSecond())
                .isEqualTo(megabits);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 256})
    void portsOutOfRangeAreRefused(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> PortAttributes.from(port, attributes))
                    .withMessageContaining("port is " + port);
        }
    }
}
