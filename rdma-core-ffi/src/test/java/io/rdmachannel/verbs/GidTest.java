// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rdmachannel.ffi.generated.ibverbs.ibv_gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    private static final String WIRE = "00000000000000000000ffff0a000002";

    @ParameterizedTest
    @CsvSource({
        "fe80000000000000505400fffe123456, fe80::5054:ff:fe12:3456",
        "00000000000000000000ffff0a000002, ::ffff:10.0.0.2",
        "00000000000000000000000000000000, ::",
        "00000000000000000000000000000001, ::1",
        "20010db8000000000001000000000001, 2001:db8::1:0:0:1",
        "20010db8000100000001000000010001, 2001:db8:1:0:1:0:1:1",
        "20010db8000000000000000000000000, 2001:db8::",
        "ff12601bffff00000000000000000001, ff12:601b:ffff::1",
        "ffffffffffffffffffffffffffffffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    })
    void bothTextFormsAreReadAndWritten(String wire, String text) {
        assertThat(Gid.parse(wire)).isEqualTo(Gid.parse(text)).hasSameHashCodeAs(Gid.parse(text));
        assertThat(Gid.parse(text).wireFormat()).isEqualTo(wire);
        assertThat(Gid.parse(wire)).hasToString(text);
    }

    @Test
    void theUnabbreviatedFormOfSysfsIsRead() {
        assertThat(Gid.parse("0000:0000:0000:0000:0000:ffff:0a00:0002").wireFormat())
                .isEqualTo(WIRE);
        assertThat(Gid.parse("FE80::ABCD")).hasToString("fe80::abcd");
        assertThat(Gid.parse(WIRE.toUpperCase(java.util.Locale.ROOT)).wireFormat())
                .isEqualTo(WIRE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "10.0.0.2",
                "localhost",
                "fe80::1%eth0",
                "[fe80::1]",
                "::1::2",
                "1:2:3",
                "fe80::g",
                "0000000000000000000000000000000",
                "000000000000000000000000000000000",
                "0000000000000000000000000000000x",
                ":",
            })
    void otherTextIsRefusedWithAnExample(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gid.parse(text))
                .withMessage(
                        "\"%s\" is not a GID: write 32 hexadecimal digits, or an IPv6 address without scope"
                                + " such as fe80::1",
                        text);
    }

    @Test
    void bytesAreCopiedBothWays() {
        byte[] bytes = new byte[16];
        bytes[0] = (byte) 0xFE;
        bytes[15] = (byte) 0x80;
        Gid gid = Gid.of(bytes);

        bytes[0] = 0;
        gid.bytes()[15] = 0;

        assertThat(gid.wireFormat()).isEqualTo("fe000000000000000000000000000080");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 15, 17})
    void anotherNumberOfBytesIsRefused(int length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gid.of(new byte[length]))
                .withMessageContaining("16 bytes, not " + length);
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> Gid.of(null));
        assertThatNullPointerException().isThrownBy(() -> Gid.parse(null));
        assertThatNullPointerException().isThrownBy(() -> Gid.ofInetAddress(null));
    }

    @ParameterizedTest
    @CsvSource({
        "fe80::1, true, false, false, false",
        "febf::1, true, false, false, false",
        "fec0::1, false, false, false, false",
        "::ffff:127.0.0.1, false, true, false, false",
        "::fffe:0:1, false, false, false, false",
        "ff02::1, false, false, true, false",
        "::, false, false, false, true",
        "2001:db8::1, false, false, false, false",
    })
    void kindsAreTold(String text, boolean linkLocal, boolean mapped, boolean multicast, boolean zero) {
        Gid gid = Gid.parse(text);

        assertThat(gid.isLinkLocal()).isEqualTo(linkLocal);
        assertThat(gid.isIpv4Mapped()).isEqualTo(mapped);
        assertThat(gid.isMulticast()).isEqualTo(multicast);
        assertThat(gid.isZero()).isEqualTo(zero);
    }

    @Test
    void addressesBecomeGidsAndComeBack() throws UnknownHostException {
        InetAddress four = InetAddress.getByAddress(new byte[] {(byte) 192, (byte) 168, 0, (byte) 255});
        assertThat(Gid.ofInetAddress(four)).hasToString("::ffff:192.168.0.255");
        assertThat(Gid.ofInetAddress(four).toInetAddress())
                .isInstanceOf(Inet4Address.class)
                .isEqualTo(four);

        InetAddress six = Inet6Address.ofLiteral("2001:db8::7");
        assertThat(Gid.ofInetAddress(six)).hasToString("2001:db8::7");
        assertThat(Gid.ofInetAddress(six).toInetAddress())
                .isInstanceOf(Inet6Address.class)
                .isEqualTo(six);
    }

    @Test
    void theScopeOfAnAddressIsDropped() throws UnknownHostException {
        byte[] bytes = Gid.parse("fe80::1").bytes();
        Inet6Address scoped = Inet6Address.getByAddress(null, bytes, 1);

        assertThat(Gid.ofInetAddress(scoped)).isEqualTo(Gid.parse("fe80::1"));
    }

    @Test
    void nativeMemoryHoldsTheBytesInOrder() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = ibv_gid.allocate(arena);
            Gid gid = Gid.parse("102:304:506:708:90a:b0c:d0e:f10");

            gid.writeTo(segment);

            assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(gid.bytes());
            assertThat(gid.bytes()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
            assertThat(Gid.from(segment)).isEqualTo(gid);
        }
    }

    @Test
    void equalsComparesEveryByte() {
        Gid gid = Gid.parse("fe80::1");

        assertThat(gid)
                .isNotEqualTo(Gid.parse("fe80::2"))
                .isNotEqualTo(Gid.parse("fe81::1"))
                .isNotEqualTo("fe80::1");
        assertThat(gid).isEqualTo(gid).isNotEqualTo(null);
    }
}
