// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.generated.rdmacm.rdma_addr;
import io.rdmachannel.ffi.generated.rdmacm.rdmacm_constants;
import io.rdmachannel.ffi.generated.rdmacm.sockaddr;
import io.rdmachannel.ffi.generated.rdmacm.sockaddr_in;
import io.rdmachannel.ffi.generated.rdmacm.sockaddr_in6;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/** Java's socket addresses as C's, and back. */
final class SocketAddresses {
    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private SocketAddresses() {}

    static InetSocketAddress requireResolved(String name, InetSocketAddress address) {
        if (Objects.requireNonNull(address, name).isUnresolved()) {
            throw new IllegalArgumentException(
                    name + " " + address + " has no IP address: its host name is not known to the resolver");
        }
        return address;
    }

    static void requireSameFamily(InetSocketAddress source, InetSocketAddress destination) {
        if (source.getAddress().getClass() != destination.getAddress().getClass()) {
            throw new IllegalArgumentException(
                    "source " + source + " and destination " + destination + " are not both IPv4 or both IPv6");
        }
    }

    /** Writes a {@code struct sockaddr_in} or {@code sockaddr_in6}; C tells them apart by the family. */
    static MemorySegment write(InetSocketAddress address, Arena arena) {
        byte[] bytes = address.getAddress().getAddress();
        if (bytes.length == IPV4_BYTES) {
            MemorySegment socketAddress = sockaddr_in.allocate(arena);
            sockaddr_in.sin_family(socketAddress, (short) rdmacm_constants.AF_INET());
            socketAddress.set(NETWORK_SHORT, sockaddr_in.sin_port$offset(), (short) address.getPort());
            copy(bytes, socketAddress, sockaddr_in.sin_addr$offset());
            return socketAddress;
        }
        MemorySegment socketAddress = sockaddr_in6.allocate(arena);
        sockaddr_in6.sin6_family(socketAddress, (short) rdmacm_constants.AF_INET6());
        socketAddress.set(NETWORK_SHORT, sockaddr_in6.sin6_port$offset(), (short) address.getPort());
        copy(bytes, socketAddress, sockaddr_in6.sin6_addr$offset());
        sockaddr_in6.sin6_scope_id(socketAddress, ((Inet6Address) address.getAddress()).getScopeId());
        return socketAddress;
    }

    static Optional<InetSocketAddress> source(MemorySegment addresses) {
        return read(rdma_addr.src_storage(addresses));
    }

    static Optional<InetSocketAddress> destination(MemorySegment addresses) {
        return read(rdma_addr.dst_storage(addresses));
    }

    /** Reads a socket address; empty for one that was never set, and for InfiniBand's own family. */
    static Optional<InetSocketAddress> read(MemorySegment socketAddress) {
        int family = Short.toUnsignedInt(sockaddr.sa_family(socketAddress));
        if (family == rdmacm_constants.AF_INET()) {
            byte[] bytes = bytes(socketAddress, sockaddr_in.sin_addr$offset(), IPV4_BYTES);
            return Optional.of(of(bytes, 0, socketAddress.get(NETWORK_SHORT, sockaddr_in.sin_port$offset())));
        }
        if (family == rdmacm_constants.AF_INET6()) {
            byte[] bytes = bytes(socketAddress, sockaddr_in6.sin6_addr$offset(), IPV6_BYTES);
            int scope = sockaddr_in6.sin6_scope_id(socketAddress);
            return Optional.of(of(bytes, scope, socketAddress.get(NETWORK_SHORT, sockaddr_in6.sin6_port$offset())));
        }
        return Optional.empty();
    }

    private static InetSocketAddress of(byte[] bytes, int scope, short port) {
        try {
            InetAddress address =
                    scope == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
            return new InetSocketAddress(address, Short.toUnsignedInt(port));
        } catch (UnknownHostException impossible) {
            throw new AssertionError("an address of 4 or 16 bytes", impossible);
        }
    }

    private static void copy(byte[] bytes, MemorySegment target, long offset) {
        MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    private static byte[] bytes(MemorySegment source, long offset, int count) {
        return source.asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE);
    }
}
