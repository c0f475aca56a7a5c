// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class GidChoiceTest {
    private static final int ETH0 = 2;
    private static final int ETH1 = 3;
    private static final InetAddress TEN_ONE = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    @Test
    void shouldTakeTheGidThatIsTheLocalAddress() {
        assertThat(chosen(
                        TEN_ONE,
                        ETH0,
                        entry(0, "fe80::1", GidType.ROCE_V2, ETH0),
                        entry(1, "::ffff:10.0.0.2", GidType.ROCE_V2, ETH0),
                        entry(2, "::ffff:10.0.0.1", GidType.ROCE_V2, ETH0)))
                .isEqualTo(2);
    }

    @Test
    void shouldPreferVersionTwoOfTheSameAddress() {
        assertThat(chosen(
                        TEN_ONE,
                        ETH0,
                        entry(2, "::ffff:10.0.0.1", GidType.ROCE_V1, ETH0),
                        entry(3, "::ffff:10.0.0.1", GidType.ROCE_V2, ETH0)))
                .isEqualTo(3);
    }

    @Test
    void shouldKnowAnIpv6Address() {
        assertThat(chosen(
                        InetAddress.ofLiteral("fd77::1"),
                        ETH0,
                        entry(0, "::ffff:10.0.0.1", GidType.ROCE_V2, ETH0),
                        entry(1, "fd77::1", GidType.ROCE_V2, ETH0)))
                .isEqualTo(1);
    }

    @Test
    void shouldStayOnTheNetworkInterfaceWhenNoGidIsTheAddress() {
        assertThat(chosen(
                        TEN_ONE,
                        ETH1,
                        entry(0, "::ffff:10.1.0.1", GidType.ROCE_V2, ETH0),
                        entry(1, "::ffff:10.2.0.1", GidType.ROCE_V2, ETH1)))
                .isEqualTo(1);
    }

    @Test
    void shouldPreferARoutableAddressForALoopbackConnection() {
        assertThat(chosen(
                        LOOPBACK,
                        1,
                        entry(0, "fe80::1", GidType.ROCE_V2, ETH0),
                        entry(1, "::ffff:10.0.0.1", GidType.ROCE_V1, ETH0),
                        entry(2, "fd77::1", GidType.ROCE_V2, ETH0),
                        entry(3, "::ffff:10.0.0.1", GidType.ROCE_V2, ETH0)))
                .isEqualTo(3);
    }

    @Test
    void shouldTakeALinkLocalAddressWhenThereIsNoOther() {
        assertThat(chosen(LOOPBACK, 1, entry(5, "fe80::1", GidType.ROCE_V2, ETH0)))
                .isEqualTo(5);
    }

    @Test
    void shouldSkipEmptyEntries() {
        assertThat(new GidChoice(TEN_ONE, ETH0).best(List.of(entry(0, "::", GidType.ROCE_V2, ETH0))))
                .isEmpty();
    }

    @Test
    void shouldTakeTheLowestIndexAmongEquals() {
        assertThat(chosen(
                        LOOPBACK,
                        0,
                        entry(7, "::ffff:10.0.0.2", GidType.ROCE_V2, 0),
                        entry(4, "::ffff:10.0.0.1", GidType.ROCE_V2, 0)))
                .isEqualTo(4);
    }

    private static int chosen(InetAddress local, int networkInterface, GidEntry... table) {
        return new GidChoice(local, networkInterface)
                .best(List.of(table))
                .orElseThrow()
                .index();
    }

    private static GidEntry entry(int index, String gid, GidType type, int networkInterface) {
        return new GidEntry(Gid.parse(gid), index, 1, type, networkInterface, null);
    }
}
