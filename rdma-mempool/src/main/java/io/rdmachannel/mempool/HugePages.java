// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/**
 * Which pages a slab is made of. With larger pages an adapter needs fewer translations and registration is faster. When
 * the wanted pages cannot be had, the slab is made of ordinary ones and {@link Placement#notes()} says why.
 */
public enum HugePages {
    /** Ordinary pages; transparent huge pages are declined. */
    NONE(0),
    /** Huge pages where the kernel finds some, by {@code madvise(2)}: needs no set-up, promises nothing. */
    TRANSPARENT(0),
    /** Pages of 2 MiB from the pool that the administrator reserved ({@code vm.nr_hugepages}). */
    EXPLICIT_2_MIB(21),
    /** Pages of 1 GiB from the pool that the administrator reserved, usually on the kernel's command line. */
    EXPLICIT_1_GIB(30);

    private final int sizeExponent;

    HugePages(int sizeExponent) {
        this.sizeExponent = sizeExponent;
    }

    boolean isExplicit() {
        return sizeExponent != 0;
    }

    /** The exponent of two of an explicit huge page's size. */
    int sizeExponent() {
        return sizeExponent;
    }

    long pageBytes(long ordinary) {
        return isExplicit() ? 1L << sizeExponent : ordinary;
    }
}
