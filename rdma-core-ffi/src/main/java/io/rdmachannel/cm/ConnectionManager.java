// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.NativeLibrary;
import io.rdmachannel.verbs.RdmaUnavailableException;
import java.util.Optional;

/**
 * Whether connections by {@code librdmacm} can be made in this process. Safe for any thread; the first call may block
 * while the library is opened.
 */
public final class ConnectionManager {
    private ConnectionManager() {}

    /**
     * Says whether {@code librdmacm} can be used. It says nothing about devices, nor about the kernel's module: making
     * an {@link EventChannel} tells that.
     *
     * @return true when the library is loaded and native access is enabled
     */
    public static boolean isAvailable() {
        return NativeLibrary.LIBRDMACM.isAvailable();
    }

    /**
     * Says why {@code librdmacm} cannot be used.
     *
     * @return the cause and the remedy, or empty when it can be used
     */
    public static Optional<String> unavailabilityReason() {
        return NativeLibrary.LIBRDMACM.problem();
    }

    /**
     * Returns when {@code librdmacm} can be used.
     *
     * @throws RdmaUnavailableException with the cause and the remedy when it cannot
     */
    public static void ensureAvailable() {
        unavailabilityReason().ifPresent(reason -> {
            throw new RdmaUnavailableException(reason);
        });
    }

    /** Throws unless the library has a function that came late. */
    static void ensureHas(String function) {
        ensureAvailable();
        if (!NativeLibrary.LIBRDMACM.has(function)) {
            throw new RdmaUnavailableException("librdmacm.so.1 has no " + function
                    + ": it is too old for queue pairs that the program makes itself. Install rdma-core 22 or newer.");
        }
    }
}
