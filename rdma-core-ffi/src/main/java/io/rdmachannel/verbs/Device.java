// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.DeviceCalls;
import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_device;
import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An RDMA device that the kernel offers, as it was when it was listed: a plain value, which holds nothing open.
 *
 * @param name the device's name, such as {@code rxe0} or {@code mlx5_0}
 * @param guid the node GUID, the number as the specification writes it (most significant byte first)
 * @param nodeType what kind of node it is
 * @param transportType which protocol it speaks
 * @param systemPath its directory under {@code /sys/class/infiniband}
 */
public record Device(String name, long guid, NodeType nodeType, TransportType transportType, Path systemPath) {
    /**
     * Lists the devices ({@code ibv_get_device_list(3)}). Reads sysfs, so it does not belong on a data path.
     *
     * @return the devices in the library's order; empty when there is none or the kernel has no RDMA support
     * @throws RdmaUnavailableException if verbs cannot be used in this process
     * @throws VerbsException if the list cannot be read
     */
    public static List<Device> list() {
        return withList(pointers -> pointers.stream().map(Device::of).toList());
    }

    /**
     * Finds a device by name.
     *
     * @param name the device's name
     * @return the device, or empty when no such device is there now
     * @throws RdmaUnavailableException if verbs cannot be used in this process
     */
    public static Optional<Device> find(String name) {
        return list().stream().filter(device -> device.name().equals(name)).findFirst();
    }

    /**
     * Opens the device ({@code ibv_open_device(3)}).
     *
     * @return its context, to be closed by the caller
     * @throws VerbsException if the device has gone, or its node under {@code /dev/infiniband} cannot be opened
     */
    public DeviceContext open() {
        return withList(pointers -> new DeviceContext(this, openAmong(pointers)));
    }

    private MemorySegment openAmong(List<MemorySegment> pointers) {
        for (MemorySegment pointer : pointers) {
            if (of(pointer).name().equals(name)) {
                return Results.checkPointer(
                        "ibv_open_device",
                        DeviceCalls.ibv_open_device(pointer),
                        "opening device " + name,
                        "Check that /dev/infiniband/uverbs* exists in this container and can"
                                + " be read and written by this user, and that module ib_uverbs is loaded.");
            }
        }
        throw new VerbsException(
                "ibv_get_device_list",
                libc.ENODEV(),
                "opening device " + name,
                "It is not among the devices of this machine any more; list them again.");
    }

    private static <T> T withList(Function<List<MemorySegment>, T> use) {
        Verbs.ensureAvailable();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment list = DeviceCalls.ibv_get_device_list(count);
            if (Pointers.isNull(list)) {
                return use.apply(emptyUnlessFailed());
            }
            try {
                return use.apply(pointers(list, count.get(ValueLayout.JAVA_INT, 0)));
            } finally {
                DeviceCalls.ibv_free_device_list(list);
            }
        }
    }

    /** A kernel without ib_uverbs makes the call fail with ENOSYS: there are no devices, and nothing is wrong. */
    private static List<MemorySegment> emptyUnlessFailed() {
        int errno = Errno.captured();
        if (errno == libc.ENOSYS() || errno == libc.ENOENT()) {
            return List.of();
        }
        throw new VerbsException(
                "ibv_get_device_list",
                errno,
                "listing the RDMA devices",
                "Check that this user may read /sys/class/infiniband.");
    }

    private static List<MemorySegment> pointers(MemorySegment list, int count) {
        MemorySegment array = Pointers.view(list, count * ValueLayout.ADDRESS.byteSize());
        List<MemorySegment> pointers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            pointers.add(array.getAtIndex(ValueLayout.ADDRESS, i));
        }
        return pointers;
    }

    static Device of(MemorySegment pointer) {
        MemorySegment device = Pointers.view(pointer, ibv_device.sizeof());
        return new Device(
                ibv_device.name(device).getString(0),
                Long.reverseBytes(DeviceCalls.ibv_get_device_guid(device)),
                NodeType.of(ibv_device.node_type(device)),
                TransportType.of(ibv_device.transport_type(device)),
                Path.of(ibv_device.ibdev_path(device).getString(0)));
    }
}
