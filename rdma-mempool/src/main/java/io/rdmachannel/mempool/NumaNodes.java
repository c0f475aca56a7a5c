// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.Libc;
import io.rdmachannel.ffi.MemoryConstants;
import io.rdmachannel.verbs.Device;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;

/** Finds NUMA nodes and binds memory and threads to them. */
final class NumaNodes {
    static final int NONE = -1;
    private static final int MAX_NODES = 1024;
    private static final int MAX_PROCESSORS = 8192;
    private static final Path NODES = Path.of("/sys/devices/system/node");

    private NumaNodes() {}

    /** The node that an adapter is attached to, or {@link #NONE} when sysfs does not say. */
    static int of(Device device) {
        try {
            return Integer.parseInt(Files.readString(device.systemPath().resolve("device/numa_node"))
                    .strip());
        } catch (IOException | NumberFormatException ignored) {
            return NONE;
        }
    }

    /**
     * Binds memory that has not been touched yet.
     *
     * @return what went wrong, if anything
     */
    static Optional<String> bind(MemorySegment memory, int node) {
        if (node >= MAX_NODES || !Files.isDirectory(NODES.resolve("node" + node))) {
            return Optional.of("not bound to NUMA node " + node + ": this machine has no such node");
        }
        try (Arena arena = Arena.ofConfined()) {
            long[] words = new long[MAX_NODES / Long.SIZE];
            words[node / Long.SIZE] = 1L << node;
            MemorySegment mask = arena.allocateFrom(ValueLayout.JAVA_LONG, words);
            // The kernel takes one bit less than it is told.
            if (Libc.mbind(memory, memory.byteSize(), MemoryConstants.MPOL_BIND, mask, MAX_NODES + 1L, 0) == 0) {
                return Optional.empty();
            }
            return Optional.of("not bound to NUMA node " + node + ": mbind failed with "
                    + Errno.describe(Errno.captured())
                    + "; containers often forbid it, allow it with CAP_SYS_NICE or a seccomp profile");
        }
    }

    /** Moves the calling thread to a node's processors; where that is impossible it stays where it is. */
    static void runOn(int node) {
        try (Arena arena = Arena.ofConfined()) {
            BitSet processors =
                    parseList(Files.readString(NODES.resolve("node" + node).resolve("cpulist")));
            MemorySegment set = arena.allocate(MAX_PROCESSORS / Byte.SIZE, Long.BYTES);
            MemorySegment.copy(
                    MemorySegment.ofArray(processors.toByteArray()), 0, set, 0, processors.toByteArray().length);
            Libc.sched_setaffinity(0, set.byteSize(), set);
        } catch (IOException | IllegalArgumentException ignored) {
            // Only a matter of speed: the memory is bound whoever touches it.
        }
    }

    /** Parses the kernel's list format, such as {@code 0-3,8}. */
    static BitSet parseList(String text) {
        BitSet result = new BitSet();
        for (String part : text.strip().split(",")) {
            if (part.isEmpty()) {
                continue;
            }
            String[] ends = part.split("-", 2);
            int first = Integer.parseInt(ends[0]);
            int last = ends.length == 1 ? first : Integer.parseInt(ends[1]);
            if (last >= MAX_PROCESSORS) {
                throw new IllegalArgumentException("processor " + last + " is over " + MAX_PROCESSORS);
            }
            result.set(first, last + 1);
        }
        return result;
    }
}
