// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.rdma.RdmaSource;
import io.rdmachannel.verbs.GidEntry;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Which device, port and GID an RDMA channel would use, told without connecting: for tools that explain the choice. The
 * answer holds as long as ports and addresses stay as they are. A plain value; any thread may use it.
 *
 * @param device the device's name
 * @param port the port, from 1
 * @param gid the entry of its GID table; empty where peers are found by LID alone
 */
public record DevicePreview(String device, int port, Optional<GidEntry> gid) {
    /** Checks that everything is there. */
    public DevicePreview {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(gid, "gid");
    }

    /**
     * Decides as connecting does. Opens each device for a moment, so it may block as long as that takes.
     *
     * @param config names device, port and GID index, or leaves them open; nothing else of it counts
     * @param local the local address that the control connection would have
     * @return the choice
     * @throws ChannelException (UNAVAILABLE) if no device will do; the message says what was found and what to do
     */
    public static DevicePreview of(ChannelConfig config, InetAddress local) {
        return RdmaSource.preview(config, local);
    }
}
