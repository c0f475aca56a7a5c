// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.cm.EventChannel;
import io.rdmachannel.cm.PortSpace;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GidEntry;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Makes {@code librdmacm} open the device, which it then keeps open for the life of the process. */
final class ConnectionManagerWarmUp implements BeforeAllCallback {
    ConnectionManagerWarmUp() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        if (RdmaDevice.absenceReason().isEmpty()) {
            address().ifPresent(ConnectionManagerWarmUp::bind);
        }
    }

    private static void bind(InetSocketAddress local) {
        try (EventChannel channel = EventChannel.create();
                ConnectionId id = channel.createId(PortSpace.TCP)) {
            id.bindAddress(local);
            channel.await(0, TimeUnit.NANOSECONDS);
        }
    }

    private static Optional<InetSocketAddress> address() {
        RdmaDevice device = RdmaDevice.find();
        try (DeviceContext context = device.open()) {
            return context.gidTable(device.port()).stream()
                    .map(GidEntry::gid)
                    .filter(gid -> !gid.isLinkLocal())
                    .map(gid -> new InetSocketAddress(gid.toInetAddress(), 0))
                    .findFirst();
        }
    }
}
