// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import java.util.List;

/**
 * A port of a device, as sysfs shows it.
 *
 * @param device the device's name
 * @param number from 1
 * @param state such as {@code ACTIVE}; empty when sysfs does not say
 * @param physicalState such as {@code LinkUp}; empty when sysfs does not say
 * @param linkLayer such as {@code Ethernet} or {@code InfiniBand}
 * @param rate such as {@code 100 Gb/sec (4X EDR)}
 * @param gids the filled entries of its GID table
 */
public record SysfsPort(
        String device,
        int number,
        String state,
        String physicalState,
        String linkLayer,
        String rate,
        List<SysfsGid> gids) {
    /**
     * Says whether the port can carry traffic.
     *
     * @return true in the state ACTIVE
     */
    public boolean isActive() {
        return state.equals("ACTIVE");
    }

    /**
     * Says whether peers are found by GID.
     *
     * @return true on Ethernet
     */
    public boolean isEthernet() {
        return linkLayer.equals("Ethernet");
    }

    /**
     * Gives the network interfaces that its GIDs belong to.
     *
     * @return their names, each once
     */
    public List<String> networkInterfaces() {
        return gids.stream()
                .map(SysfsGid::networkInterface)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    @Override
    public String toString() {
        return device + " port " + number;
    }
}
