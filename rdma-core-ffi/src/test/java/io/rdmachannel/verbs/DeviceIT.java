// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.RdmaTest;
import io.rdmachannel.testing.Shell;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RdmaTest
class DeviceIT {
    private RdmaDevice device;
    private DeviceContext context;
    private String reference;

    @BeforeEach
    void open() {
        device = RdmaDevice.find();
        context = device.open();
        reference = Shell.run("ibv_devinfo", "-v", "-d", device.device().name());
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void shouldListTheDevicesOfTheSystem() {
        String listed = Shell.run("ibv_devinfo", "-l");

        assertThat(Device.list()).isNotEmpty().allSatisfy(each -> {
            assertThat(listed).contains(each.name());
            assertThat(Files.isDirectory(each.systemPath())).isTrue();
        });
    }

    @Test
    void shouldFindADeviceByName() {
        assertThat(Device.find(device.device().name())).contains(device.device());
        assertThat(Device.find("no-such-device")).isEmpty();
    }

    @Test
    void shouldReportTheIdentityThatTheSystemReports() {
        DeviceAttributes attributes = context.attributes();

        assertThat(guid(attributes.nodeGuid())).isEqualTo(text("node_guid"));
        assertThat(guid(attributes.systemImageGuid())).isEqualTo(text("sys_image_guid"));
        assertThat(device.device().guid()).isEqualTo(attributes.nodeGuid());
        assertThat(attributes.portCount()).isEqualTo(number("phys_port_cnt"));
        assertThat(attributes.vendorId()).isEqualTo(number("vendor_id"));
        assertThat(attributes.vendorPartId()).isEqualTo(number("vendor_part_id"));
        assertThat(attributes.localAckDelay()).isEqualTo(number("local_ca_ack_delay"));
        assertThat(text("transport")).startsWith("InfiniBand");
        assertThat(device.device().transportType()).isEqualTo(TransportType.INFINIBAND);
    }

    @Test
    void shouldReportTheQueueLimitsThatTheSystemReports() {
        DeviceAttributes.QueueLimits limits = context.attributes().queueLimits();

        assertThat(limits.maxQueuePairs()).isEqualTo(number("max_qp"));
        assertThat(limits.maxWorkRequests()).isEqualTo(number("max_qp_wr"));
        assertThat(limits.maxScatterGather()).isEqualTo(number("max_sge"));
        assertThat(limits.maxReadScatterGather()).isEqualTo(number("max_sge_rd"));
        assertThat(limits.maxCompletionQueues()).isEqualTo(number("max_cq"));
        assertThat(limits.maxCompletionQueueEntries()).isEqualTo(number("max_cqe"));
        assertThat(limits.maxSharedReceiveQueues()).isEqualTo(number("max_srq"));
        assertThat(limits.maxSharedReceiveRequests()).isEqualTo(number("max_srq_wr"));
        assertThat(limits.maxSharedReceiveScatterGather()).isEqualTo(number("max_srq_sge"));
        assertThat(limits.maxProtectionDomains()).isEqualTo(number("max_pd"));
        assertThat(limits.maxAddressHandles()).isEqualTo(number("max_ah"));
        assertThat(limits.maxPartitions()).isEqualTo(number("max_pkeys"));
    }

    @Test
    void shouldReportTheOtherLimitsThatTheSystemReports() {
        DeviceAttributes attributes = context.attributes();

        assertThat(attributes.memoryLimits().maxRegions()).isEqualTo(number("max_mr"));
        assertThat(attributes.memoryLimits().maxWindows()).isEqualTo(number("max_mw"));
        assertThat(attributes.memoryLimits().pageSizes()).isEqualTo(number("page_size_cap"));
        assertThat(attributes.readLimits().maxPerQueuePair()).isEqualTo(number("max_qp_rd_atom"));
        assertThat(attributes.readLimits().maxInitiatedPerQueuePair()).isEqualTo(number("max_qp_init_rd_atom"));
        assertThat(attributes.readLimits().maxServed()).isEqualTo(number("max_res_rd_atom"));
        assertThat(attributes.rareLimits().maxMulticastGroups()).isEqualTo(number("max_mcast_grp"));
        assertThat(text("atomic_cap")).isEqualTo("ATOMIC_HCA (1)");
        assertThat(attributes.atomicCapability()).isEqualTo(AtomicCapability.DEVICE);
    }

    @Test
    void shouldReportThePortThatTheSystemReports() {
        PortAttributes port = context.port(device.port());

        assertThat(port.state()).isEqualTo(PortState.ACTIVE);
        assertThat(text("state")).isEqualTo("PORT_ACTIVE (4)");
        assertThat(port.linkLayer().name()).isEqualToIgnoringCase(text("link_layer"));
        assertThat(port.activeMtu().bytes()).isEqualTo(number("active_mtu"));
        assertThat(port.maxMtu().bytes()).isEqualTo(number("max_mtu"));
        assertThat(port.maxMessageSize()).isEqualTo(number("max_msg_sz"));
        assertThat(port.gidTableLength()).isEqualTo(number("gid_tbl_len"));
        assertThat(port.partitionKeyTableLength()).isEqualTo(number("pkey_tbl_len"));
        assertThat(port.lid()).isEqualTo(number("port_lid"));
        assertThat(port.subnet().smLid()).isEqualTo(number("sm_lid"));
        assertThat(port.subnet().subnetTimeout()).isEqualTo(number("subnet_timeout"));
        assertThat(port.capabilities().capabilityFlags()).isEqualTo(number("port_cap_flags"));
    }

    @Test
    void shouldReportTheLinkThatTheSystemReports() {
        PortAttributes.Link link = context.port(device.port()).link();

        assertThat(text("active_width")).isEqualTo(link.lanes() + "X (" + link.activeWidth() + ")");
        assertThat(text("active_speed")).endsWith("(" + link.activeSpeed() + ")");
        assertThat(text("active_speed")).startsWith(link.laneMegabitsPerSecond() / 1000 + ".");
        assertThat(text("phys_state")).endsWith("(" + link.physicalState() + ")");
    }

    @Test
    void shouldRefuseAPortThatTheDeviceDoesNotHave() {
        for (int port : new int[] {-1, 0, context.attributes().portCount() + 1, 256, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> context.port(port))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("port is " + port);
        }
    }

    @Test
    void shouldSayThatADeviceIsGoneWhenItIsOpened() {
        Device gone = new Device(
                "rxe99",
                0,
                NodeType.UNKNOWN,
                TransportType.UNKNOWN,
                device.device().systemPath());

        assertThatThrownBy(gone::open)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("rxe99")
                .hasMessageContaining("ENODEV");
    }

    private static String guid(long value) {
        String digits = "%016x".formatted(value);
        return String.join(
                ":", digits.substring(0, 4), digits.substring(4, 8), digits.substring(8, 12), digits.substring(12));
    }

    /** The value that {@code ibv_devinfo} prints for a name. */
    private String text(String name) {
        Matcher line = Pattern.compile("(?m)^\\s*" + name + ":\\s+(.*?)\\s*$").matcher(reference);
        assertThat(line.find()).as("%s in\n%s", name, reference).isTrue();
        return line.group(1);
    }

    private long number(String name) {
        return Long.decode(text(name).split(" ")[0]);
    }
}
