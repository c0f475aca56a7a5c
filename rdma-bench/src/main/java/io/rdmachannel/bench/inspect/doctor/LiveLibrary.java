// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import io.rdmachannel.bench.inspect.system.LocalAddress;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.DevicePreview;
import io.rdmachannel.cm.ConnectionManager;
import io.rdmachannel.ffi.NativeAccess;
import io.rdmachannel.mempool.LockedMemory;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.RdmaException;
import io.rdmachannel.verbs.Verbs;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;

/** The libraries of this machine. Opens devices for a moment only. Any thread. */
public final class LiveLibrary implements RdmaLibrary {
    /** Makes one; the libraries are loaded when first asked for. */
    public LiveLibrary() {}

    @Override
    public Optional<String> nativeAccessProblem() {
        return NativeAccess.problem();
    }

    @Override
    public Optional<String> verbsProblem() {
        return Verbs.unavailabilityReason();
    }

    @Override
    public Optional<String> connectionManagerProblem() {
        return ConnectionManager.unavailabilityReason();
    }

    @Override
    public List<String> devices() {
        return Device.list().stream().map(Device::name).toList();
    }

    @Override
    public Optional<String> openingProblem(String device) {
        Optional<Device> found = Device.find(device);
        if (found.isEmpty()) {
            return Optional.of("it has gone meanwhile");
        }
        try {
            found.get().open().close();
            return Optional.empty();
        } catch (RdmaException refused) {
            return Optional.of(refused.getMessage());
        }
    }

    @Override
    public int activeMtu(String device, int port) {
        Optional<Device> found = verbsProblem().isPresent() ? Optional.empty() : Device.find(device);
        if (found.isEmpty()) {
            return 0;
        }
        try (DeviceContext context = found.get().open()) {
            return context.port(port).activeMtu().bytes();
        } catch (RdmaException refused) {
            return 0;
        }
    }

    @Override
    public DevicePreview choose(InetAddress local) {
        return DevicePreview.of(ChannelConfig.builder().build(), local);
    }

    @Override
    public LockedMemory lockedMemory() {
        return LockedMemory.read();
    }

    @Override
    public List<LocalAddress> addresses() throws SocketException {
        return LocalAddress.all();
    }
}
