// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import io.rdmachannel.bench.inspect.system.CommandRunner;
import io.rdmachannel.bench.inspect.system.ProcessRunner;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SysfsPort;
import io.rdmachannel.bench.inspect.system.SysfsReader;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The machine that checks look at: this one, or one that a test has recorded. What is read for several checks is read
 * once, so make a new one for a new look. For one thread.
 */
public final class Environment {
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(10);

    private final SystemTree files;
    private final CommandRunner commands;
    private final RdmaLibrary library;
    private final Request request;
    private List<SysfsDevice> devices;

    /**
     * Makes an environment.
     *
     * @param files the machine's files
     * @param commands its programs
     * @param library its RDMA libraries
     * @param request what the user wants to know about
     */
    public Environment(SystemTree files, CommandRunner commands, RdmaLibrary library, Request request) {
        this.files = files;
        this.commands = commands;
        this.library = library;
        this.request = request;
    }

    /**
     * Gives this machine. Commands have 10 s each.
     *
     * @param request what the user wants to know about
     * @return a new environment
     */
    public static Environment live(Request request) {
        return new Environment(SystemTree.live(), new ProcessRunner(COMMAND_LIMIT), new LiveLibrary(), request);
    }

    /**
     * Gives the files.
     *
     * @return of the machine
     */
    public SystemTree files() {
        return files;
    }

    /**
     * Gives the programs.
     *
     * @return of the machine
     */
    public CommandRunner commands() {
        return commands;
    }

    /**
     * Gives the libraries.
     *
     * @return of the machine
     */
    public RdmaLibrary library() {
        return library;
    }

    /**
     * Gives the request.
     *
     * @return what the user wants to know about
     */
    public Request request() {
        return request;
    }

    /**
     * Gives the devices that the kernel has, whether the library knows them or not.
     *
     * @return read at the first call
     */
    public List<SysfsDevice> devices() {
        if (devices == null) {
            devices = new SysfsReader(files).devices();
        }
        return devices;
    }

    /**
     * Gives the ports of all devices.
     *
     * @return in the order of the devices
     */
    public List<SysfsPort> ports() {
        return devices().stream().flatMap(device -> device.ports().stream()).toList();
    }

    /**
     * Gives the network interfaces of all devices.
     *
     * @return their names, sorted
     */
    public Set<String> networkInterfaces() {
        return devices().stream()
                .flatMap(device -> device.networkInterfaces().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
