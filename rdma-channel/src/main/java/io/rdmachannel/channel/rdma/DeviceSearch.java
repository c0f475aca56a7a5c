// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.RdmaException;
import io.rdmachannel.verbs.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks through the devices of this machine for the one that a connection uses. Opens each for a moment. */
final class DeviceSearch {
    private final ChannelConfig config;
    private final LocalAddress local;
    private final List<PortCandidate> candidates = new ArrayList<>();
    private final List<String> unusable = new ArrayList<>();

    private DeviceSearch(ChannelConfig config, LocalAddress local) {
        this.config = config;
        this.local = local;
    }

    /**
     * Searches.
     *
     * @throws ChannelException if there is no verbs library, no device, or none that will do
     */
    static DeviceChoice find(ChannelConfig config, LocalAddress local) {
        Optional<String> reason = Verbs.unavailabilityReason();
        if (reason.isPresent()) {
            throw new ChannelException(
                    ChannelException.Reason.UNAVAILABLE, "RDMA cannot be used in this process: " + reason.get());
        }
        return new DeviceSearch(config, local).search();
    }

    private DeviceChoice search() {
        for (Device device : Device.list()) {
            if (config.device().isEmpty() || device.name().equals(config.device())) {
                look(device);
            } else {
                unusable.add(device.name() + " (not the one asked for)");
            }
        }
        return DeviceChoice.among(candidates, config, local)
                .orElseThrow(() -> new ChannelException(ChannelException.Reason.UNAVAILABLE, message()));
    }

    private void look(Device device) {
        try (DeviceContext context = device.open()) {
            candidates.addAll(PortCandidate.of(context));
        } catch (RdmaException failure) {
            unusable.add(device.name() + " (" + failure.getMessage() + ")");
        }
    }

    private String message() {
        StringBuilder text = new StringBuilder("no RDMA device will do: looked for an ACTIVE port");
        text.append(config.port() == 0 ? "" : " " + config.port());
        text.append(config.device().isEmpty() ? "" : " of device " + config.device());
        text.append(config.gidIndex() < 0 ? "" : " with a GID at index " + config.gidIndex());
        if (config.device().isEmpty() && !local.isLoopback()) {
            text.append(" that has the local address ").append(local).append(" of the control connection");
        }
        text.append("; found ").append(candidates.isEmpty() && unusable.isEmpty() ? "no device" : candidates);
        text.append(unusable.isEmpty() ? "" : ", and not used: " + unusable);
        return text.append(". Connect to an address of an RDMA port's network interface, bring the port up, or set"
                        + " rdma.device, rdma.port and rdma.gidIndex.")
                .toString();
    }
}
