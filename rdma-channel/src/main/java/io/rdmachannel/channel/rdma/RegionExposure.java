// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Memory that is registered for the peer, with the rights asked for and no others. Any thread may close it. */
final class RegionExposure implements Link.Exposure {
    private final MemoryRegion region;
    private final Consumer<RegionExposure> whenClosed;

    RegionExposure(
            ProtectionDomain domain,
            MemorySegment memory,
            Set<RegionRight> rights,
            Consumer<RegionExposure> whenClosed) {
        this.region = domain.registerMemory(memory, access(rights));
        this.whenClosed = whenClosed;
    }

    static Set<AccessFlag> access(Set<RegionRight> rights) {
        EnumSet<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
        rights.forEach(right -> access.addAll(access(right)));
        return access;
    }

    private static Set<AccessFlag> access(RegionRight right) {
        return switch (right) {
            case READ -> Set.of(AccessFlag.REMOTE_READ);
            case WRITE -> Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            case ATOMIC -> Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
        };
    }

    @Override
    public long address() {
        return region.address();
    }

    @Override
    public int key() {
        return region.remoteKey();
    }

    @Override
    public void close() {
        region.close();
        whenClosed.accept(this);
    }
}
