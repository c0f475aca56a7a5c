// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.verbs.GidType;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choice for an address, the way to a peer, its ports, and flow control. */
class ReachTest {
    private static final String RULES = "[{\"priority\":0},{\"priority\":32766},{\"priority\":32767}]";

    @TempDir
    private Path root;

    @Test
    void shouldTellTheChoiceForAddressesOfRdmaInterfaces() {
        assertThat(RecordedMachine.softRoce(root.resolve("a")).run(new ChoiceCheck()))
                .isEqualTo(Finding.of(Status.OK, "10.77.0.1: rxe0 port 1 GID 1 (::ffff:10.77.0.1, RoCE v2)"));
        assertThat(RecordedMachine.connectX(root.resolve("b"))
                        .run(new ChoiceCheck())
                        .seen())
                .contains("198.51.100.1: mlx5_1 port 1, peers found by LID");
    }

    @Test
    void shouldNameAnAddressThatNoDeviceHas() {
        Finding finding = RecordedMachine.softRoce(root).from("127.0.0.1").run(new ChoiceCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen()).containsExactly("127.0.0.1: no RDMA device will do");
    }

    @Test
    void shouldNameAnAddressOfAnotherHost() {
        Finding finding = RecordedMachine.softRoce(root).from("203.0.113.9").run(new ChoiceCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen().getFirst())
                .startsWith("203.0.113.9 is no address of this host; it has [127.0.0.1, 10.77.0.1,");
    }

    @Test
    void shouldWarnOfChoicesThatDoNotReachFar() {
        RecordedMachine machine = RecordedMachine.softRoce(root);
        machine.library().choose("10.77.0.1", "rxe0", 0, GidType.ROCE_V1);
        assertThat(machine.run(new ChoiceCheck()).status()).isEqualTo(Status.WARNING);
        machine.library().choose("fe80::d83d:69ff:fe43:e660", "rxe0", 0, GidType.ROCE_V2);
        assertThat(machine.from("fe80::d83d:69ff:fe43:e660")
                        .run(new ChoiceCheck())
                        .status())
                .isEqualTo(Status.WARNING);
    }

    @Test
    void shouldHaveNothingToChooseWithoutDevices() {
        assertThat(RecordedMachine.empty(root).run(new ChoiceCheck()).status()).isEqualTo(Status.NOT_APPLICABLE);
    }

    @Test
    void shouldFindTheWayOverAnRdmaInterface() {
        Finding finding = RecordedMachine.softRoce(root)
                .to("10.77.0.9")
                .command("ip -j route get 10.77.0.9", 0, "[{\"dst\":\"10.77.0.9\",\"dev\":\"lab0\",\"flags\":[]}]")
                .command("ip -j rule", 0, RULES)
                .run(new RouteCheck());
        assertThat(finding).isEqualTo(Finding.of(Status.OK, "the way to 10.77.0.9 is over lab0"));
    }

    @Test
    void shouldKnowItself() {
        Finding finding = RecordedMachine.softRoce(root)
                .to("10.77.0.1")
                .command("ip -j route get 10.77.0.1", 0, "[{\"type\":\"local\",\"dev\":\"lo\"}]")
                .run(new RouteCheck());
        assertThat(finding).isEqualTo(Finding.of(Status.OK, "10.77.0.1 is this host itself"));
    }

    @Test
    void shouldNameAWayOverAnotherInterfaceAndMoreRules() {
        Finding finding = RecordedMachine.connectX(root)
                .from("192.0.2.1")
                .to("192.0.2.9")
                .command("ip -j route get 192.0.2.9 from 192.0.2.1", 0, "[{\"dst\":\"192.0.2.9\",\"dev\":\"eth0\"}]")
                .command("ip -j rule", 0, RULES.replace("[{", "[{\"priority\":100},{"))
                .run(new RouteCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen().getFirst()).startsWith("the way to 192.0.2.9 is over eth0, and RDMA is on [");
        assertThat(finding.seen().getLast()).startsWith("4 routing rules");
    }

    @Test
    void shouldNameAMissingRoute() {
        Finding finding = RecordedMachine.softRoce(root)
                .to("8.8.8.8")
                .command("ip -j route get 8.8.8.8", 2, "RTNETLINK answers: Network is unreachable\n")
                .run(new RouteCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen())
                .containsExactly("there is no route to 8.8.8.8: RTNETLINK answers: Network is unreachable");
    }

    @Test
    void shouldNotKnowTheRouteWithoutIproute() {
        assertThat(RecordedMachine.softRoce(root)
                        .to("10.77.0.9")
                        .run(new RouteCheck())
                        .status())
                .isEqualTo(Status.UNKNOWN);
    }

    @Test
    void shouldConnectToThePeersPort() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String peer = "127.0.0.1:" + server.getLocalPort();
            assertThat(RecordedMachine.softRoce(root).to(peer).run(new PeerCheck()))
                    .isEqualTo(Finding.of(Status.OK, peer + " accepts TCP connections"));
        }
    }

    @Test
    void shouldNameAPortWhereNobodyListens() throws Exception {
        int port;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = server.getLocalPort();
        }
        Finding finding = RecordedMachine.softRoce(root).to("127.0.0.1:" + port).run(new PeerCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.remedies()).extracting(Remedy::command).containsExactly("ss -tln sport = :" + port);
    }

    @Test
    void shouldRemindOfTheRocePortOnlyWithAPeer() {
        assertThat(RecordedMachine.softRoce(root.resolve("a"))
                        .run(new RocePortCheck())
                        .status())
                .isEqualTo(Status.NOT_APPLICABLE);
        Finding finding =
                RecordedMachine.softRoce(root.resolve("b")).to("10.77.0.9").run(new RocePortCheck());
        assertThat(finding.status()).isEqualTo(Status.UNKNOWN);
        assertThat(finding.seen().getFirst()).contains("4791");
        assertThat(RecordedMachine.empty(root.resolve("c"))
                        .run(new RocePortCheck())
                        .status())
                .isEqualTo(Status.NOT_APPLICABLE);
    }

    @Test
    void shouldSeePfcAndEcn() {
        RecordedMachine machine = RecordedMachine.connectX(root)
                .command("dcb -j pfc show dev ens1f0", 0, pfc("true"))
                .write("/sys/class/net/ens1f0/ecn/roce_rp/enable/3", "1")
                .write("/sys/class/net/ens1f0/qos/trust", "dscp");
        Finding finding = machine.run(new FlowControlCheck());
        assertThat(finding)
                .isEqualTo(Finding.of(Status.OK, "ens1f0: priorities 3 react to ECN, trust dscp")
                        .and(Status.OK, "ens1f0: PFC is on for priorities 3"));
    }

    @Test
    void shouldWarnWhereFlowControlIsOff() {
        RecordedMachine machine = RecordedMachine.connectX(root)
                .command("dcb -j pfc show dev ens1f0", 0, pfc("false"))
                .write("/sys/class/net/ens1f0/ecn/roce_rp/enable/3", "0");
        Finding finding = machine.run(new FlowControlCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains("dcb pfc set dev ens1f0 prio-pfc all:off 3:on");
    }

    @Test
    void shouldNotKnowFlowControlWithoutTools() {
        Finding finding = RecordedMachine.connectX(root).run(new FlowControlCheck());
        assertThat(finding.status()).isEqualTo(Status.UNKNOWN);
        assertThat(finding.remedies()).extracting(Remedy::command).contains("mlnx_qos -i ens1f0");
        assertThat(RecordedMachine.softRoce(root.resolve("software"))
                        .run(new FlowControlCheck())
                        .status())
                .isEqualTo(Status.NOT_APPLICABLE);
    }

    private static String pfc(String third) {
        return "{\"pfc-cap\":8,\"prio-pfc\":[false,false,false," + third + ",false,false,false,false]}";
    }
}
