// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import io.rdmachannel.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the RDMA devices out of {@code /sys/class/infiniband} and {@code /sys/class/infiniband_verbs}. */
public final class SysfsReader {
    private static final String DEVICES = "/sys/class/infiniband";
    private static final String NODES = "/sys/class/infiniband_verbs";
    /** Tables are filled from the front, and may have thousands of entries: after so many empty ones they end. */
    private static final int HOLE = 64;

    private final SystemTree files;

    /**
     * Makes a reader.
     *
     * @param files the machine's files
     */
    public SysfsReader(SystemTree files) {
        this.files = files;
    }

    /**
     * Reads all devices, with their ports and GID tables; that is some hundred files, so keep the answer.
     *
     * @return the devices, sorted by name; empty when there are none
     */
    public List<SysfsDevice> devices() {
        return files.list(DEVICES).stream().map(this::device).toList();
    }

    private SysfsDevice device(String name) {
        String here = DEVICES + "/" + name;
        String adapter = here + "/device";
        List<String> interfaces = new ArrayList<>(files.list(adapter + "/net"));
        files.read(here + "/parent").ifPresent(interfaces::add);
        return new SysfsDevice(
                name,
                node(name),
                driver(here),
                files.linkName(adapter).orElse(""),
                files.read(adapter + "/numa_node").map(SysfsReader::number).orElse(-1),
                files.read(adapter + "/local_cpulist").orElse(""),
                files.read(here + "/fw_ver").orElse(""),
                List.copyOf(interfaces),
                files.list(here + "/ports").stream()
                        .filter(port -> port.matches("\\d+"))
                        .map(port -> port(name, Integer.parseInt(port)))
                        .toList());
    }

    private String node(String device) {
        return files.list(NODES).stream()
                .filter(node ->
                        files.read(NODES + "/" + node + "/ibdev").orElse("").equals(device))
                .findFirst()
                .orElse("");
    }

    /** Soft-RoCE has no adapter, but tells the interface that it is on; siw tells nothing. */
    private String driver(String device) {
        if (files.exists(device + "/device")) {
            return files.linkName(device + "/device/driver").orElse("");
        }
        if (files.exists(device + "/parent")) {
            return "rdma_rxe";
        }
        return files.exists("/sys/module/siw") ? "siw" : "";
    }

    private SysfsPort port(String device, int number) {
        String here = DEVICES + "/" + device + "/ports/" + number;
        String linkLayer = files.read(here + "/link_layer").orElse("");
        return new SysfsPort(
                device,
                number,
                afterColon(files.read(here + "/state").orElse("")),
                afterColon(files.read(here + "/phys_state").orElse("")),
                linkLayer,
                files.read(here + "/rate").orElse(""),
                gids(here, linkLayer));
    }

    private List<SysfsGid> gids(String port, String linkLayer) {
        List<SysfsGid> gids = new ArrayList<>();
        int empty = 0;
        for (String index : files.list(port + "/gids")) {
            Optional<Gid> gid =
                    files.read(port + "/gids/" + index).map(Gid::parse).filter(one -> !one.isZero());
            gid.ifPresent(one -> gids.add(gid(port, linkLayer, index, one)));
            empty = gid.isPresent() ? 0 : empty + 1;
            if (empty == HOLE) {
                break;
            }
        }
        return List.copyOf(gids);
    }

    private SysfsGid gid(String port, String linkLayer, String index, Gid gid) {
        String network = files.read(port + "/gid_attrs/ndevs/" + index).orElse("");
        return new SysfsGid(Integer.parseInt(index), gid, type(port, index, linkLayer), network);
    }

    /** The kernel says "IB/RoCE v1" for both. */
    private String type(String port, String index, String linkLayer) {
        String type = files.read(port + "/gid_attrs/types/" + index).orElse("");
        return type.equals("IB/RoCE v1") ? linkLayer.equals("InfiniBand") ? "InfiniBand" : "RoCE v1" : type;
    }

    /** sysfs writes {@code 4: ACTIVE}. */
    private static String afterColon(String text) {
        return text.substring(text.indexOf(':') + 1).strip();
    }

    private static int number(String text) {
        return text.matches("-?\\d{1,9}") ? Integer.parseInt(text) : -1;
    }
}
