// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.libc.libc;

/**
 * The constants of libc that go with {@link Libc}'s calls for memory, placement and limits, for modules that do not see
 * the generated code. Names and values are the headers'.
 */
public final class MemoryConstants {
    /** Pages may be read ({@code mmap(2)}). */
    public static final int PROT_READ = libc.PROT_READ();

    /** Pages may be written ({@code mmap(2)}). */
    public static final int PROT_WRITE = libc.PROT_WRITE();

    /** Changes stay in this process ({@code mmap(2)}). */
    public static final int MAP_PRIVATE = libc.MAP_PRIVATE();

    /** No file behind the mapping ({@code mmap(2)}). */
    public static final int MAP_ANONYMOUS = libc.MAP_ANONYMOUS();

    /** Huge pages from the reserved pool; the size's exponent goes into bits 26 and up ({@code mmap(2)}). */
    public static final int MAP_HUGETLB = libc.MAP_HUGETLB();

    /** Where in the flags the exponent of the huge page's size goes ({@code mmap(2)}). */
    public static final int MAP_HUGE_SHIFT = 26;

    /** Transparent huge pages are welcome ({@code madvise(2)}). */
    public static final int MADV_HUGEPAGE = libc.MADV_HUGEPAGE();

    /** Transparent huge pages are not ({@code madvise(2)}). */
    public static final int MADV_NOHUGEPAGE = libc.MADV_NOHUGEPAGE();

    /** A child process does not get the pages ({@code madvise(2)}). */
    public static final int MADV_DONTFORK = libc.MADV_DONTFORK();

    /** Pages come from the given nodes only ({@code mbind(2)}). */
    public static final int MPOL_BIND = libc.MPOL_BIND();

    /** The limit on locked memory ({@code getrlimit(2)}). */
    public static final int RLIMIT_MEMLOCK = libc.RLIMIT_MEMLOCK();

    /** No limit ({@code getrlimit(2)}). */
    public static final long RLIM_INFINITY = libc.RLIM_INFINITY();

    /** The size of a page ({@code sysconf(3)}). */
    public static final int SC_PAGESIZE = libc._SC_PAGESIZE();

    /** Out of memory, or a limit reached. */
    public static final int ENOMEM = libc.ENOMEM();

    /** Not permitted. */
    public static final int EPERM = libc.EPERM();

    private MemoryConstants() {}
}
