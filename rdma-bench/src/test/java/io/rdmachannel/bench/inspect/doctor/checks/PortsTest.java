// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Port states, addresses, GID types and MTU. */
class PortsTest {
    private static final String RXE_PORT = "/sys/devices/virtual/infiniband/rxe0/ports/1/";
    private static final String IB_PORT = "/sys/class/infiniband/mlx5_1/ports/1/";

    @TempDir
    private Path root;

    @Test
    void shouldTellActivePorts() {
        assertThat(RecordedMachine.connectX(root).run(new PortsCheck()))
                .isEqualTo(Finding.of(Status.OK, "mlx5_0 port 1: ACTIVE, LinkUp, Ethernet, 100 Gb/sec (2X HDR)")
                        .and(Status.OK, "mlx5_1 port 1: ACTIVE, LinkUp, InfiniBand, 200 Gb/sec (4X HDR)"));
    }

    @Test
    void shouldNameAnInterfaceThatIsDown() {
        Finding finding = RecordedMachine.softRoce(root)
                .write(RXE_PORT + "state", "1: DOWN")
                .write(RXE_PORT + "phys_state", "3: Disabled")
                .write("/sys/class/net/lab0/operstate", "down")
                .run(new PortsCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen())
                .containsExactly("rxe0 port 1: DOWN, Disabled, Ethernet, 2.5 Gb/sec (1X SDR); interface lab0 is down");
        assertThat(finding.remedies()).extracting(Remedy::command).contains("ip link set dev lab0 up");
    }

    @ParameterizedTest
    @CsvSource({"2: INIT, systemctl start opensm", "1: DOWN, ibstat", "3: ARMED, "})
    void shouldTellWhatAnInfinibandPortWaitsFor(String state, String command) {
        Finding finding =
                RecordedMachine.connectX(root).write(IB_PORT + "state", state).run(new PortsCheck());
        assertThat(finding.status()).as("another port is active").isEqualTo(Status.WARNING);
        assertThat(finding.remedies()).extracting(Remedy::command).containsExactly(command);
    }

    @Test
    void shouldTellTheAddressesOfPorts() {
        assertThat(RecordedMachine.softRoce(root.resolve("a")).run(new AddressesCheck()))
                .isEqualTo(Finding.of(
                        Status.OK,
                        "rxe0 port 1 has routable GIDs: [1 (::ffff:10.77.0.1, RoCE v2), 2 (fd77::1, RoCE v2)]"));
        assertThat(RecordedMachine.connectX(root.resolve("b"))
                        .run(new AddressesCheck())
                        .seen())
                .contains("mlx5_1 port 1 has IPoIB addresses: [198.51.100.1]");
    }

    @Test
    void shouldNameAnInterfaceWithoutAddress() {
        RecordedMachine machine =
                RecordedMachine.softRoce(root).remove(RXE_PORT + "gids/1").remove(RXE_PORT + "gids/2");
        machine.library().addresses.clear();
        Finding finding = machine.run(new AddressesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen())
                .containsExactly("rxe0 port 1 has no routable GID: its interface lab0 has no IP address");
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .containsExactly("ip address add ADDRESS/PREFIX dev lab0");
    }

    @Test
    void shouldNameAnAddressThatMadeNoGid() {
        Finding finding = RecordedMachine.softRoce(root)
                .remove(RXE_PORT + "gids/1")
                .remove(RXE_PORT + "gids/2")
                .run(new AddressesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen().getFirst()).contains("its interface has [10.77.0.1]");
    }

    @Test
    void shouldOnlyWarnWithoutIpoib() {
        RecordedMachine machine = RecordedMachine.connectX(root);
        machine.library()
                .addresses
                .removeIf(address -> address.networkInterface().equals("ib0"));
        Finding finding = machine.run(new AddressesCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .containsExactly("ip address add ADDRESS/PREFIX dev ib0", "rdma.device=mlx5_1");
    }

    @Test
    void shouldCountGidsOfVersion2() {
        assertThat(RecordedMachine.connectX(root).run(new GidTypesCheck()))
                .isEqualTo(Finding.of(Status.OK, "mlx5_0 port 1: 2 of 4 GIDs are of RoCE v2"));
    }

    @Test
    void shouldWarnWhereThereIsVersion1Only() {
        String types = "/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/";
        Finding finding = RecordedMachine.connectX(root)
                .write(types + "1", "IB/RoCE v1")
                .write(types + "3", "IB/RoCE v1")
                .run(new GidTypesCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.seen().getFirst()).contains("no GID is of RoCE v2");
    }

    @Test
    void shouldNameAnEmptyGidTable() {
        Finding finding =
                RecordedMachine.softRoce(root).remove(RXE_PORT + "gids").run(new GidTypesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
    }

    @Test
    void shouldTellTheMtuThatLargerPayloadsNeed() {
        Finding finding = RecordedMachine.softRoce(root.resolve("a")).run(new MtuCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.seen().getFirst())
                .startsWith("rxe0 port 1: MTU of lab0 is 1500, payload of a packet 1024 bytes;")
                .contains("4096 bytes need an MTU of 4192");
        assertThat(finding.remedies()).extracting(Remedy::command).containsExactly("ip link set dev lab0 mtu 4200");
        assertThat(RecordedMachine.connectX(root.resolve("b"))
                        .run(new MtuCheck())
                        .status())
                .isEqualTo(Status.OK);
    }

    @Test
    void shouldNotKnowTheMtuOfAnInterfaceThatIsElsewhere() {
        assertThat(RecordedMachine.softRoce(root)
                        .remove("/sys/class/net/lab0")
                        .run(new MtuCheck())
                        .status())
                .isEqualTo(Status.UNKNOWN);
    }

    @Test
    void shouldHaveNothingToSayWithoutPorts() {
        for (Check check : new Check[] {new PortsCheck(), new AddressesCheck(), new GidTypesCheck(), new MtuCheck()}) {
            assertThat(RecordedMachine.empty(root).run(check).status())
                    .as(check.name())
                    .isEqualTo(Status.NOT_APPLICABLE);
        }
    }
}
