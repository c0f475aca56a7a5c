// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.devices;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.DevicePreview;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import java.net.InetAddress;

/**
 * What a channel with default settings would choose for a local address: the library's own decision.
 *
 * @param address the address
 * @param networkInterface the interface that has it; empty when no interface of this host has
 * @param device the device; null for none
 * @param port its port; null for none
 * @param gidIndex the entry of the GID table; null when peers are found by LID, and for no device
 * @param gid the GID; null as before
 * @param gidType its type; null as before
 * @param reason why no device will do; null when one will
 */
public record AddressChoice(
        String address,
        String networkInterface,
        String device,
        Integer port,
        Integer gidIndex,
        String gid,
        GidType gidType,
        String reason) {
    static AddressChoice of(InetAddress address, String text, String networkInterface) {
        try {
            DevicePreview choice = DevicePreview.of(ChannelConfig.builder().build(), address);
            GidEntry entry = choice.gid().orElse(null);
            return new AddressChoice(
                    text,
                    networkInterface,
                    choice.device(),
                    choice.port(),
                    entry == null ? null : entry.index(),
                    entry == null ? null : entry.gid().toString(),
                    entry == null ? null : entry.type(),
                    null);
        } catch (ChannelException refused) {
            return new AddressChoice(text, networkInterface, null, null, null, null, null, refused.getMessage());
        }
    }

    /**
     * Says whether a device will do.
     *
     * @return true if so
     */
    boolean hasDevice() {
        return device != null;
    }
}
