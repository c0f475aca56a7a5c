// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import io.rdmachannel.verbs.LinkLayer;
import io.rdmachannel.verbs.PortState;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceChoiceTest {
    private static final int ETH0 = 2;
    private static final int ETH1 = 3;
    private static final ChannelConfig ANY = ChannelConfig.builder().build();

    private static final PortCandidate FIRST = ethernet(
            "mlx5_0",
            1,
            PortState.ACTIVE,
            entry(0, "fe80::1", GidType.ROCE_V1, ETH0),
            entry(1, "fe80::1", GidType.ROCE_V2, ETH0),
            entry(2, "::ffff:10.0.0.1", GidType.ROCE_V1, ETH0),
            entry(3, "::ffff:10.0.0.1", GidType.ROCE_V2, ETH0));
    private static final PortCandidate SECOND = ethernet(
            "mlx5_1",
            1,
            PortState.ACTIVE,
            entry(1, "fe80::2", GidType.ROCE_V2, ETH1),
            entry(5, "::ffff:10.0.1.1", GidType.ROCE_V2, ETH1),
            entry(6, "2001:db8::1", GidType.ROCE_V2, ETH1));
    private static final PortCandidate INFINIBAND = new PortCandidate(
            "ib0",
            2,
            PortState.ACTIVE,
            LinkLayer.INFINIBAND,
            List.of(new GidEntry(Gid.parse("fe80::e41d:2d03:0:1"), 0, 2, GidType.INFINIBAND, 0, null)));

    @Test
    void shouldTakeThePortThatHasTheAddress() {
        assertThat(choose(ANY, local("10.0.1.1", ETH1), FIRST, SECOND)).isEqualTo("mlx5_1 port 1 GID 5");
        assertThat(choose(ANY, local("2001:db8::1", ETH1), FIRST, SECOND)).isEqualTo("mlx5_1 port 1 GID 6");
    }

    @Test
    void shouldPreferVersion2() {
        assertThat(choose(ANY, local("10.0.0.1", ETH0), FIRST, SECOND)).isEqualTo("mlx5_0 port 1 GID 3");
    }

    @Test
    void shouldTakeARoutableGidOfTheInterfaceThatHasTheAddress() {
        assertThat(choose(ANY, local("10.9.9.9", ETH1), FIRST, SECOND)).isEqualTo("mlx5_1 port 1 GID 5");
        assertThat(choose(ANY, local("2001:db8::99", ETH1), FIRST, SECOND)).isEqualTo("mlx5_1 port 1 GID 6");
    }

    @Test
    void shouldFindNothingWhenNoPortHasTheAddress() {
        assertThat(choose(ANY, local("192.0.2.1", 7), FIRST, SECOND, INFINIBAND))
                .isEmpty();
        assertThat(choose(ANY, local("10.0.0.1", ETH0))).isEmpty();
    }

    @Test
    void shouldLeaveOutPortsThatAreNotActive() {
        PortCandidate down = ethernet("mlx5_2", 1, PortState.DOWN, entry(3, "::ffff:10.0.0.1", GidType.ROCE_V2, ETH0));
        assertThat(choose(ANY, local("10.0.0.1", ETH0), down)).isEmpty();
    }

    @Test
    void shouldTakeTheFirstPortWithAnIpv4GidForLoopback() {
        PortCandidate ipv6 = ethernet("rxe9", 1, PortState.ACTIVE, entry(0, "2001:db8::9", GidType.ROCE_V2, 9));
        assertThat(choose(ANY, local("127.0.0.1", 1), INFINIBAND, ipv6, FIRST, SECOND))
                .isEqualTo("mlx5_0 port 1 GID 3");
        assertThat(choose(ANY, local("127.0.0.1", 1), INFINIBAND, ipv6)).isEqualTo("rxe9 port 1 GID 0");
        assertThat(choose(ANY, local("::1", 1), INFINIBAND)).isEqualTo("ib0 port 2");
    }

    @Test
    void shouldTakeADeviceOnTheLoopbackInterfaceOnlyWhenThereIsNoOtherTrouble46() {
        PortCandidate lo = ethernet("rxe0", 1, PortState.ACTIVE, entry(1, "::ffff:127.0.0.1", GidType.ROCE_V2, 1));
        assertThat(choose(ANY, local("127.0.0.1", 1), lo, FIRST, SECOND)).isEqualTo("mlx5_0 port 1 GID 3");
        assertThat(choose(ANY, local("10.0.0.1", ETH0), lo, FIRST)).isEqualTo("mlx5_0 port 1 GID 3");
        assertThat(choose(ANY, local("127.0.0.1", 1), lo)).isEqualTo("rxe0 port 1 GID 1");
        ChannelConfig asked = ChannelConfig.builder().device("rxe0").build();
        assertThat(choose(asked, local("127.0.0.1", 1), lo, FIRST)).isEqualTo("rxe0 port 1 GID 1");
    }

    @Test
    void shouldTakeTheDeviceThatIsAskedFor() {
        ChannelConfig config = ChannelConfig.builder().device("mlx5_1").build();
        assertThat(choose(config, local("10.0.0.1", ETH0), FIRST, SECOND)).isEqualTo("mlx5_1 port 1 GID 5");
        assertThat(choose(config, local("10.0.0.1", ETH0), FIRST)).isEmpty();
    }

    @Test
    void shouldTakeThePortAndTheGidThatAreAskedFor() {
        ChannelConfig config = ChannelConfig.builder().port(1).gidIndex(2).build();
        assertThat(choose(config, local("10.0.0.1", ETH0), FIRST, SECOND)).isEqualTo("mlx5_0 port 1 GID 2");
        ChannelConfig empty = ChannelConfig.builder().gidIndex(9).build();
        assertThat(choose(empty, local("10.0.0.1", ETH0), FIRST)).isEmpty();
        ChannelConfig otherPort = ChannelConfig.builder().port(2).build();
        assertThat(choose(otherPort, local("10.0.0.1", ETH0), FIRST)).isEmpty();
    }

    @Test
    void shouldGoByLidOnInfiniband() throws UnknownHostException {
        String hardware = "00:00:10:49:fe:80:00:00:00:00:00:00:e4:1d:2d:03:00:00:00:01";
        LocalAddress local = new LocalAddress(InetAddress.getByName("10.0.2.1"), 8, LocalAddress.portGuid(hardware));
        assertThat(choose(ANY, local, FIRST, INFINIBAND)).isEqualTo("ib0 port 2");
        ChannelConfig withGid = ChannelConfig.builder().gidIndex(0).build();
        assertThat(choose(withGid, local, FIRST, INFINIBAND)).isEqualTo("ib0 port 2 GID 0");
    }

    @Test
    void shouldKnowNoPortOfOtherHardware() {
        assertThat(LocalAddress.portGuid("52:54:00:12:34:56")).isZero();
        assertThat(LocalAddress.portGuid("")).isZero();
    }

    private static String choose(ChannelConfig config, LocalAddress local, PortCandidate... candidates) {
        Optional<DeviceChoice> choice = DeviceChoice.among(List.of(candidates), config, local);
        return choice.map(found -> found.device() + " port " + found.port()
                        + (found.entry() == null ? "" : " GID " + found.entry().index()))
                .orElse("");
    }

    private static LocalAddress local(String address, int interfaceIndex) {
        return new LocalAddress(Gid.parse(ipv6(address)).toInetAddress(), interfaceIndex, 0);
    }

    private static String ipv6(String address) {
        return address.contains(":") ? address : "::ffff:" + address;
    }

    private static PortCandidate ethernet(String device, int port, PortState state, GidEntry... entries) {
        return new PortCandidate(device, port, state, LinkLayer.ETHERNET, List.of(entries));
    }

    private static GidEntry entry(int index, String gid, GidType type, int interfaceIndex) {
        return new GidEntry(Gid.parse(gid), index, 1, type, interfaceIndex, "eth" + interfaceIndex);
    }
}
