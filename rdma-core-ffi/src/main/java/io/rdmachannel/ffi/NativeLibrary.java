// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/**
 * A shared library of rdma-core, loaded once when first asked for and kept for the life of the process.
 *
 * <p>A library that cannot be used is a fact to ask for, not an error to catch: the cause is kept and said again at
 * each call. Any thread may call; the first call may block while the library is opened.
 */
public enum NativeLibrary {
    /** The verbs library, {@code libibverbs.so.1}. Property {@code io.rdmachannel.libibverbs} names another file. */
    LIBIBVERBS(
            "libibverbs.so.1",
            "io.rdmachannel.libibverbs",
            "io.rdmachannel.ffi.generated.ibverbs.ibverbs_functions",
            "libibverbs1 and ibverbs-providers (Debian, Ubuntu: apt-get install libibverbs1 ibverbs-providers;"
                    + " Fedora, RHEL: dnf install libibverbs)",
            Set.of("_ibv_query_gid_ex", "_ibv_query_gid_table", "ibv_reg_mr_iova2", "ibv_is_fork_initialized")),

    /** The connection manager, {@code librdmacm.so.1}. Property {@code io.rdmachannel.librdmacm} names another file. */
    LIBRDMACM(
            "librdmacm.so.1",
            "io.rdmachannel.librdmacm",
            "io.rdmachannel.ffi.generated.rdmacm.rdmacm_functions",
            "librdmacm1 (Debian, Ubuntu: apt-get install librdmacm1; Fedora, RHEL: dnf install librdmacm)",
            Set.of("rdma_establish", "rdma_init_qp_attr"));

    private final String soname;
    private final String property;
    private final String functionsClass;
    private final String packages;
    private final Set<String> optionalSymbols;
    private volatile LibraryProbe probe;

    NativeLibrary(String soname, String property, String functionsClass, String packages, Set<String> optionalSymbols) {
        this.soname = soname;
        this.property = property;
        this.functionsClass = functionsClass;
        this.packages = packages;
        this.optionalSymbols = optionalSymbols;
    }

    /**
     * Says whether the library can be used.
     *
     * @return true when it is loaded and has every function that is needed
     */
    public boolean isAvailable() {
        return problem().isEmpty();
    }

    /**
     * Says why the library cannot be used.
     *
     * @return the cause and what to install or set, or empty when the library is usable
     */
    public Optional<String> problem() {
        return probe().problem();
    }

    /**
     * Returns when the library can be used.
     *
     * @throws IllegalStateException with the cause and the remedy when it cannot
     */
    public void ensureAvailable() {
        LibraryProbe current = probe();
        if (current.problem().isPresent()) {
            throw new IllegalStateException(current.problem().get());
        }
    }

    /**
     * Says whether a function that older versions of the library lack is there.
     *
     * @param name the C name
     * @return true when the library is usable and exports it
     */
    public boolean has(String name) {
        return probe().find(name).isPresent();
    }

    /**
     * Finds an exported function.
     *
     * @param name the C name
     * @return its address
     * @throws IllegalStateException when the library cannot be used or lacks it, with the remedy
     */
    public MemorySegment symbol(String name) {
        ensureAvailable();
        return probe().find(name).orElseThrow(() -> new IllegalStateException(missing(Set.of(name))));
    }

    String soname() {
        return soname;
    }

    String property() {
        return property;
    }

    String functionsClass() {
        return functionsClass;
    }

    String packages() {
        return packages;
    }

    Set<String> optionalSymbols() {
        return optionalSymbols;
    }

    String missing(Set<String> names) {
        return soname + " lacks " + String.join(", ", names)
                + ": it is too old, or no build of rdma-core. Install a newer " + packages + ".";
    }

    /** Every call of the lower floor asks, from any thread: only the first ones take the lock. */
    private LibraryProbe probe() {
        LibraryProbe current = probe;
        return current == null ? probeOnce() : current;
    }

    private synchronized LibraryProbe probeOnce() {
        if (probe == null) {
            probe = LibraryProbe.of(this, System.getProperty(property));
        }
        return probe;
    }
}
