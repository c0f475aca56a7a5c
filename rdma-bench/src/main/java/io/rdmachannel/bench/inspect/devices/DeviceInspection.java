// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.devices;

import io.rdmachannel.bench.inspect.system.LocalAddress;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SysfsPort;
import io.rdmachannel.bench.inspect.system.SysfsReader;
import io.rdmachannel.bench.inspect.system.SystemTree;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.RdmaException;
import io.rdmachannel.verbs.Verbs;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks at the devices of this machine: at those that the kernel has, through the library where it offers them. */
public final class DeviceInspection {
    private static final String NO_DEVICE = "The kernel has no RDMA device. 'rdma-bench doctor' says what to do.";
    private static final String NONE_USABLE =
            "No RDMA device of this machine can be used by this process. 'rdma-bench doctor' says what to do.";

    private final List<SysfsDevice> kernel = new SysfsReader(SystemTree.live()).devices();
    private final List<Device> offered;
    private final Optional<String> unavailable;

    /** Reads the kernel's devices, and asks the library for those that it offers. */
    public DeviceInspection() {
        List<Device> list = List.of();
        Optional<String> problem = Verbs.unavailabilityReason();
        if (problem.isEmpty()) {
            try {
                list = Device.list();
            } catch (RdmaException refused) {
                problem = Optional.of(refused.getMessage());
            }
        }
        this.offered = list;
        this.unavailable = problem;
    }

    /**
     * Opens each device for a moment, and lets the library choose.
     *
     * @param address the local address to choose for; all of this host when empty
     * @return what there is
     * @throws SocketException if the addresses of this host cannot be listed
     */
    public DeviceInventory inspect(Optional<InetAddress> address) throws SocketException {
        List<DeviceEntry> entries = names().map(this::entry).toList();
        boolean usable = entries.stream().anyMatch(entry -> entry.problem() == null);
        String reason = usable ? null : unavailable.orElse(entries.isEmpty() ? NO_DEVICE : NONE_USABLE);
        return new DeviceInventory(reason, entries, unavailable.isPresent() ? List.of() : choices(address));
    }

    /** A device of another network namespace may be in one of the lists only. */
    private Stream<String> names() {
        return Stream.concat(
                        kernel.stream().map(SysfsDevice::name), offered.stream().map(Device::name))
                .distinct();
    }

    private DeviceEntry entry(String name) {
        Optional<Device> device =
                offered.stream().filter(one -> one.name().equals(name)).findFirst();
        if (device.isEmpty()) {
            String problem =
                    unavailable.orElse("libibverbs does not offer it: its provider is missing or does not load");
            return entry(name, problem, null, null, List.of());
        }
        try (DeviceContext context = device.get().open()) {
            return entry(
                    name,
                    null,
                    DeviceEntry.Identity.of(context.attributes()),
                    DeviceLimits.of(context.attributes()),
                    ports(context));
        } catch (RdmaException refused) {
            return entry(name, refused.getMessage(), null, null, List.of());
        }
    }

    private DeviceEntry entry(
            String name, String problem, DeviceEntry.Identity identity, DeviceLimits limits, List<PortEntry> ports) {
        Optional<SysfsDevice> device =
                kernel.stream().filter(one -> one.name().equals(name)).findFirst();
        return new DeviceEntry(
                name,
                problem,
                device.map(SysfsDevice::driver).orElse(""),
                device.map(SysfsDevice::address).orElse(""),
                device.map(SysfsDevice::numaNode).orElse(-1),
                device.map(SysfsDevice::localProcessors).orElse(""),
                identity,
                limits,
                ports);
    }

    private List<PortEntry> ports(DeviceContext context) {
        List<PortEntry> ports = new ArrayList<>();
        for (int number = 1; number <= context.attributes().portCount(); number++) {
            Optional<SysfsPort> port = port(context.device().name(), number);
            ports.add(PortEntry.of(
                    context.port(number),
                    port.map(SysfsPort::physicalState).orElse(""),
                    port.map(SysfsPort::rate).orElse(""),
                    context.gidTable(number)));
        }
        return ports;
    }

    private Optional<SysfsPort> port(String device, int number) {
        return kernel.stream()
                .filter(one -> one.name().equals(device))
                .flatMap(one -> one.ports().stream())
                .filter(port -> port.number() == number)
                .findFirst();
    }

    private static List<AddressChoice> choices(Optional<InetAddress> wanted) throws SocketException {
        List<LocalAddress> all = LocalAddress.all();
        if (wanted.isEmpty()) {
            return all.stream()
                    .map(local -> AddressChoice.of(local.address(), local.text(), local.networkInterface()))
                    .toList();
        }
        InetAddress address = wanted.get();
        String network = all.stream()
                .filter(local -> local.address().equals(address))
                .map(LocalAddress::networkInterface)
                .findFirst()
                .orElse("");
        return List.of(AddressChoice.of(address, LocalAddress.text(address), network));
    }
}
