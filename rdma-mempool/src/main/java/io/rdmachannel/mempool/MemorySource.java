// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/** Where the memory of slabs comes from. */
public enum MemorySource {
    /** Anonymous mappings made by {@code mmap(2)}, which can be placed, locked and registered. Linux only. */
    MAPPED,
    /**
     * The JDK's own allocation: no native call of this library, so it works on every operating system and without
     * {@code --enable-native-access}; but it cannot be placed, locked or registered.
     */
    ARENA
}
