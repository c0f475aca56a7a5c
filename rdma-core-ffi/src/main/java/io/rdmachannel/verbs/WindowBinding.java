// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_mw_bind_info;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * To what a memory window is bound. A plain value.
 *
 * @param window the window
 * @param remoteKey the key that the window is to have; for a window of type 1 the device chooses and this is not used
 * @param region the region, registered with MEMORY_WINDOW_BIND
 * @param offset where the window begins in the region
 * @param length its size in bytes; 0 takes the window back
 * @param access what peers may do through it
 */
public record WindowBinding(
        MemoryWindow window, int remoteKey, MemoryRegion region, long offset, long length, Set<AccessFlag> access) {
    /** Checks the range. */
    public WindowBinding {
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(region, "region");
        Objects.checkFromIndexSize(offset, length, region.length());
        if (window.protectionDomain() != region.protectionDomain()) {
            throw new IllegalArgumentException("the window and the region belong to different protection domains");
        }
        access = Set.copyOf(access);
    }

    void requireType(MemoryWindowType type) {
        if (window.type() != type) {
            throw new IllegalArgumentException("a window of " + window.type() + " is bound "
                    + (type == MemoryWindowType.TYPE_2 ? "by QueuePair.bind" : "by a send work request"));
        }
    }

    void writeTo(MemorySegment info) {
        ibv_mw_bind_info.mr(info, region.handle());
        ibv_mw_bind_info.addr(info, region.address() + offset);
        ibv_mw_bind_info.length(info, length);
        ibv_mw_bind_info.mw_access_flags(info, AccessFlag.bits(access));
    }

    /**
     * Holds the window and the region open while native code may follow their pointers; {@link #release} must follow.
     */
    void acquire() {
        window.lifetime().acquire();
        try {
            region.lifetime().acquire();
        } catch (RuntimeException closed) {
            window.lifetime().release();
            throw closed;
        }
    }

    void release() {
        region.lifetime().release();
        window.lifetime().release();
    }
}
