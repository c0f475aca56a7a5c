// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.DeviceCalls;
import io.rdmachannel.ffi.NativeLibrary;
import java.util.Optional;

/**
 * Whether verbs can be used in this process, and the settings that hold for all of it. Safe for any thread; the first
 * call may block while the library is opened.
 */
public final class Verbs {
    private Verbs() {}

    /**
     * Says whether {@code libibverbs} can be used. It says nothing about devices: {@link Device#list()} does.
     *
     * @return true when the library is loaded and native access is enabled
     */
    public static boolean isAvailable() {
        return NativeLibrary.LIBIBVERBS.isAvailable();
    }

    /**
     * Says why verbs cannot be used.
     *
     * @return the cause and the remedy, or empty when they can be used
     */
    public static Optional<String> unavailabilityReason() {
        return NativeLibrary.LIBIBVERBS.problem();
    }

    /**
     * Returns when verbs can be used.
     *
     * @throws RdmaUnavailableException with the cause and the remedy when they cannot
     */
    public static void ensureAvailable() {
        unavailabilityReason().ifPresent(reason -> {
            throw new RdmaUnavailableException(reason);
        });
    }

    /**
     * Makes registered memory safe from {@code fork(2)} on kernels before 5.12, where a child's copy-on-write could
     * move pages away from the adapter ({@code ibv_fork_init(3)}). Call it, if at all, before anything in the process
     * registers memory; newer kernels need no such call.
     *
     * @throws RdmaUnavailableException if verbs cannot be used
     * @throws VerbsException if memory is registered already, or the kernel lacks the support
     */
    public static void initializeForkSupport() {
        ensureAvailable();
        Results.check(
                "ibv_fork_init",
                DeviceCalls.ibv_fork_init(),
                "making registered memory safe from fork",
                "Call it before any memory is registered in this process, by this or another library.");
    }
}
