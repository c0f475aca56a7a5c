// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rdmachannel.ffi.generated.rdmacm.sockaddr_in;
import io.rdmachannel.ffi.generated.rdmacm.sockaddr_in6;
import io.rdmachannel.ffi.generated.rdmacm.sockaddr_storage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketAddressesTest {
    private final Arena arena = Arena.ofAuto();

    @ParameterizedTest
    @ValueSource(strings = {"10.77.0.1", "255.255.255.255", "0.0.0.0", "fd77::1", "::", "2001:db8::ff:fe00:1"})
    void shouldReadBackWhatItWrote(String address) {
        InetSocketAddress socketAddress = new InetSocketAddress(InetAddress.ofLiteral(address), 65535);

        assertThat(SocketAddresses.read(SocketAddresses.write(socketAddress, arena)))
                .contains(socketAddress);
    }

    @Test
    void shouldLayOutAnIpv4AddressAsCDoes() {
        MemorySegment written =
                SocketAddresses.write(new InetSocketAddress(InetAddress.ofLiteral("10.77.0.1"), 0x1234), arena);

        assertThat(written.byteSize()).isEqualTo(sockaddr_in.sizeof());
        assertThat(written.asSlice(2, 6).toArray(ValueLayout.JAVA_BYTE)).containsExactly(0x12, 0x34, 10, 77, 0, 1);
    }

    @Test
    void shouldKeepTheScopeOfALinkLocalAddress() throws UnknownHostException {
        byte[] bytes = InetAddress.ofLiteral("fe80::1").getAddress();
        InetSocketAddress scoped = new InetSocketAddress(Inet6Address.getByAddress(null, bytes, 3), 7174);

        MemorySegment written = SocketAddresses.write(scoped, arena);

        assertThat(sockaddr_in6.sin6_scope_id(written)).isEqualTo(3);
        InetSocketAddress read = SocketAddresses.read(written).orElseThrow();
        assertThat(((Inet6Address) read.getAddress()).getScopeId()).isEqualTo(3);
    }

    @Test
    void shouldReadNothingFromAnAddressThatWasNeverSet() {
        assertThat(SocketAddresses.read(sockaddr_storage.allocate(arena))).isEmpty();
    }

    @Test
    void shouldRefuseAnAddressThatTheResolverDoesNotKnow() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SocketAddresses.requireResolved("destination", unresolved))
                .withMessageContainingAll("destination", "nowhere.invalid");
        assertThatNullPointerException().isThrownBy(() -> SocketAddresses.requireResolved("destination", null));
    }

    @Test
    void shouldRefuseToGoFromOneFamilyToTheOther() {
        InetSocketAddress ipv4 = new InetSocketAddress(InetAddress.ofLiteral("10.77.0.1"), 0);
        InetSocketAddress ipv6 = new InetSocketAddress(InetAddress.ofLiteral("fd77::1"), 7174);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SocketAddresses.requireSameFamily(ipv4, ipv6))
                .withMessageContainingAll("10.77.0.1", "fd77");
    }
}
