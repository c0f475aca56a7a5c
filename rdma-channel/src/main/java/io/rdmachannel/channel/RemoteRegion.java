// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.util.Objects;
import java.util.Set;

/**
 * Memory of the peer that it exposed to this side; from {@link RdmaChannel#remoteRegion} or
 * {@link ChannelHandler#onRegionExposed}. Good for the channel that it came by, over its recoveries too. Belongs to the
 * thread of the channel's poller; name, length, rights and {@link #isRevoked} may be read by any.
 */
public final class RemoteRegion {
    private final String name;
    private long address;
    private final long length;
    private int key;
    private final Set<RegionRight> rights;
    private volatile boolean revoked;

    /**
     * Describes a region; channels do that, from what the peer tells.
     *
     * @param name its name
     * @param address its address in the peer's process, or 0 when the transport counts from the region's beginning
     * @param length bytes
     * @param key what the peer's adapter or library knows it by
     * @param rights what this side may do
     */
    public RemoteRegion(String name, long address, long length, int key, Set<RegionRight> rights) {
        this.name = Objects.requireNonNull(name, "name");
        this.address = address;
        this.length = length;
        this.key = key;
        this.rights = Set.copyOf(rights);
    }

    /**
     * Gives the name.
     *
     * @return as the peer gave it
     */
    public String name() {
        return name;
    }

    /**
     * Gives the size.
     *
     * @return bytes
     */
    public long length() {
        return length;
    }

    /**
     * Gives the rights of this side.
     *
     * @return an immutable set
     */
    public Set<RegionRight> rights() {
        return rights;
    }

    /**
     * Says whether the peer has revoked it.
     *
     * @return true once it is useless
     */
    public boolean isRevoked() {
        return revoked;
    }

    /**
     * Gives the address of a place in it, as work requests need it.
     *
     * @param offset from the beginning
     * @return the remote address
     */
    public long addressAt(long offset) {
        return address + offset;
    }

    /**
     * Gives the key, as work requests need it. It is a capability: not for logs.
     *
     * @return the rkey
     */
    public int key() {
        return key;
    }

    /**
     * Takes on where the region is now, after the channel has been connected anew; channels do that.
     *
     * @param newAddress as {@link #addressAt} counts from
     * @param newKey as {@link #key} gives
     */
    public void moved(long newAddress, int newKey) {
        address = newAddress;
        key = newKey;
    }

    /** Marks it as revoked; channels do that when the peer says so. */
    public void revoke() {
        revoked = true;
    }

    @Override
    public String toString() {
        return "region \"" + name + "\" of " + length + " bytes for " + rights + (revoked ? ", revoked" : "");
    }
}
