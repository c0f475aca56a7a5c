// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.DeviceCalls;
import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.NativeLibrary;
import io.rdmachannel.ffi.generated.ibverbs.ibv_gid;
import io.rdmachannel.ffi.generated.ibverbs.ibv_gid_entry;
import io.rdmachannel.ffi.generated.libc.libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the GID table of one port: by {@code ibv_query_gid_ex(3)}, or on old libraries by the GID and sysfs. */
final class GidTable {
    private final DeviceContext context;
    private final int port;
    private final int length;

    GidTable(DeviceContext context, int port, int length) {
        this.context = context;
        this.port = port;
        this.length = length;
    }

    List<GidEntry> entries() {
        boolean extended = NativeLibrary.LIBIBVERBS.has("_ibv_query_gid_ex");
        List<GidEntry> entries = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment scratch = ibv_gid_entry.allocate(arena);
            for (int index = 0; index < length; index++) {
                GidEntry entry = extended ? extendedEntry(index, scratch) : plainEntry(index, scratch);
                if (entry != null) {
                    entries.add(entry);
                }
            }
        }
        return List.copyOf(entries);
    }

    private GidEntry extendedEntry(int index, MemorySegment entry) {
        int result = DeviceCalls._ibv_query_gid_ex(context.handle(), port, index, entry, 0, ibv_gid_entry.sizeof());
        if (result == libc.ENODATA()) {
            return null;
        }
        Results.check("ibv_query_gid_ex", result, asked(index), "");
        int networkInterface = ibv_gid_entry.ndev_ifindex(entry);
        return new GidEntry(
                Gid.from(ibv_gid_entry.gid(entry)),
                index,
                port,
                GidType.of(ibv_gid_entry.gid_type(entry)),
                networkInterface,
                networkInterface == 0 ? null : interfaceName(networkInterface));
    }

    private GidEntry plainEntry(int index, MemorySegment scratch) {
        MemorySegment raw = scratch.asSlice(0, ibv_gid.sizeof());
        if (DeviceCalls.ibv_query_gid(context.handle(), (byte) port, index, raw) != 0) {
            throw new VerbsException("ibv_query_gid", Errno.captured(), asked(index), "");
        }
        Gid gid = Gid.from(raw);
        if (gid.isZero()) {
            return null;
        }
        String name = attribute("ndevs", index);
        return new GidEntry(gid, index, port, typeFromSysfs(attribute("types", index)), interfaceIndex(name), name);
    }

    private static GidType typeFromSysfs(String type) {
        if (type == null) {
            return GidType.UNKNOWN;
        }
        return switch (type) {
            case "IB/RoCE v1" -> GidType.ROCE_V1;
            case "RoCE v2" -> GidType.ROCE_V2;
            default -> GidType.UNKNOWN;
        };
    }

    private String attribute(String kind, int index) {
        Path file = context.device().systemPath().resolve("ports/" + port + "/gid_attrs/" + kind + "/" + index);
        try {
            return Files.readString(file).strip();
        } catch (IOException absent) {
            return null;
        }
    }

    private static String interfaceName(int index) {
        try {
            NetworkInterface found = NetworkInterface.getByIndex(index);
            return found == null ? null : found.getName();
        } catch (SocketException unreadable) {
            return null;
        }
    }

    private static int interfaceIndex(String name) {
        try {
            NetworkInterface found = name == null ? null : NetworkInterface.getByName(name);
            return found == null ? 0 : found.getIndex();
        } catch (SocketException unreadable) {
            return 0;
        }
    }

    private String asked(int index) {
        return "reading entry " + index + " of the GID table of port " + port + " of "
                + context.device().name();
    }
}
