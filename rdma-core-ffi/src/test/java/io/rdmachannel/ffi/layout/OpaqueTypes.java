// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.util.Set;

/**
 * Types of libc that verbs structures hold and Java never looks into. What matters is the room that they take; their
 * members are libc's own, and newer versions have others.
 */
final class OpaqueTypes {
    /** Compared by size and alignment only. */
    static final Set<String> CLOSED = Set.of("pthread_mutex_t", "pthread_cond_t");

    /** Not compared at all: generated only because jextract needs them for the closed ones. */
    static final Set<String> INSIDES =
            Set.of("__pthread_mutex_s", "__pthread_cond_s", "__pthread_internal_list", "__atomic_wide_counter");

    private OpaqueTypes() {}
}
