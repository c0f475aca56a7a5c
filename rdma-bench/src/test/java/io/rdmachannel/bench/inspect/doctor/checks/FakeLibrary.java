// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.RdmaLibrary;
import io.rdmachannel.bench.inspect.system.LocalAddress;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.DevicePreview;
import io.rdmachannel.mempool.LockedMemory;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the libraries of a recorded machine answer. */
final class FakeLibrary implements RdmaLibrary {
    String nativeAccessProblem;
    String verbsProblem;
    String connectionManagerProblem;
    LockedMemory memory = new LockedMemory(Long.MAX_VALUE, 0, 0, false);
    final List<String> devices = new ArrayList<>();
    final List<LocalAddress> addresses = new ArrayList<>();
    final Map<String, String> openingProblems = new HashMap<>();
    final Map<String, Integer> mtus = new HashMap<>();
    final Map<InetAddress, DevicePreview> choices = new HashMap<>();

    static FakeLibrary softRoce() {
        FakeLibrary library = new FakeLibrary();
        library.devices.add("rxe0");
        library.mtus.put("rxe0", 1024);
        library.address("lo", "127.0.0.1");
        library.address("lab0", "10.77.0.1");
        library.address("lab0", "fe80::d83d:69ff:fe43:e660");
        library.choose("10.77.0.1", "rxe0", 1, GidType.ROCE_V2);
        return library;
    }

    static FakeLibrary connectX() {
        FakeLibrary library = new FakeLibrary();
        library.devices.addAll(List.of("mlx5_0", "mlx5_1"));
        library.mtus.putAll(Map.of("mlx5_0", 4096, "mlx5_1", 4096));
        library.address("ens1f0", "192.0.2.1");
        library.address("ib0", "198.51.100.1");
        library.choose("192.0.2.1", "mlx5_0", 3, GidType.ROCE_V2);
        InetAddress ib = RecordedMachine.address("198.51.100.1");
        library.choices.put(ib, new DevicePreview("mlx5_1", 1, Optional.empty()));
        library.memory = new LockedMemory(8 << 20, 0, 0, false);
        return library;
    }

    void address(String networkInterface, String address) {
        addresses.add(new LocalAddress(networkInterface, RecordedMachine.address(address)));
    }

    void choose(String address, String device, int index, GidType type) {
        InetAddress local = RecordedMachine.address(address);
        GidEntry entry = new GidEntry(Gid.ofInetAddress(local), index, 1, type, 2, "eth0");
        choices.put(local, new DevicePreview(device, 1, Optional.of(entry)));
    }

    @Override
    public Optional<String> nativeAccessProblem() {
        return Optional.ofNullable(nativeAccessProblem);
    }

    @Override
    public Optional<String> verbsProblem() {
        return Optional.ofNullable(verbsProblem);
    }

    @Override
    public Optional<String> connectionManagerProblem() {
        return Optional.ofNullable(connectionManagerProblem);
    }

    @Override
    public List<String> devices() {
        return devices;
    }

    @Override
    public Optional<String> openingProblem(String device) {
        return Optional.ofNullable(openingProblems.get(device));
    }

    @Override
    public int activeMtu(String device, int port) {
        return mtus.getOrDefault(device, 0);
    }

    @Override
    public DevicePreview choose(InetAddress local) {
        return Optional.ofNullable(choices.get(local))
                .orElseThrow(() -> new ChannelException(ChannelException.Reason.UNAVAILABLE, "no RDMA device will do"));
    }

    @Override
    public LockedMemory lockedMemory() {
        return memory;
    }

    @Override
    public List<LocalAddress> addresses() {
        return addresses;
    }
}
