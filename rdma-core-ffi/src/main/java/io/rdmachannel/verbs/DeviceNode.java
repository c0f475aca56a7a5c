// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_device;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * What the kernel shows of a device to those who open it. It is the first thing to go when the device is removed.
 *
 * @param path its directory under {@code /sys/class/infiniband_verbs}
 * @param key tells it from a later one of the same name; empty when it could not be seen
 */
record DeviceNode(Path path, Optional<Object> key) {
    /** Of a {@code struct ibv_device}, which need not live on. */
    static DeviceNode of(MemorySegment pointer) {
        MemorySegment device = Pointers.view(pointer, ibv_device.sizeof());
        return at(Path.of(ibv_device.dev_path(device).getString(0)));
    }

    static DeviceNode at(Path path) {
        return new DeviceNode(path, keyOf(path));
    }

    boolean isPresent() {
        return key.isEmpty() || keyOf(path).equals(key);
    }

    private static Optional<Object> keyOf(Path path) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }
}
