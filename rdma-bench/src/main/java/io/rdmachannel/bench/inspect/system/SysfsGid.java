// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import io.rdmachannel.verbs.Gid;

/**
 * A filled entry of a GID table, as sysfs shows it.
 *
 * @param index where in the table, from 0
 * @param gid the GID
 * @param type such as {@code RoCE v2}; empty when sysfs does not say
 * @param networkInterface the name of its network interface; empty when there is none, as on InfiniBand
 */
public record SysfsGid(int index, Gid gid, String type, String networkInterface) {
    /**
     * Says whether the entry is of the protocol that can be routed.
     *
     * @return true for RoCE v2
     */
    public boolean isRoceV2() {
        return type.equals("RoCE v2");
    }

    /**
     * Says whether peers beyond the link can reach it.
     *
     * @return false for link-local GIDs
     */
    public boolean isRoutable() {
        return !gid.isLinkLocal();
    }

    @Override
    public String toString() {
        return index + " (" + gid + ", " + type + ")";
    }
}
