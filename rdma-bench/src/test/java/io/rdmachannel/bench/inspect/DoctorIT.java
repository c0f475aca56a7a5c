// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Breaks RDMA for real, in the lab's guest, and sees that the doctor names what is broken and that its remedies are
 * right, by doing what they say.
 */
@Tag("rdma")
@Timeout(300)
class DoctorIT {
    private static final String DEVICE = "rxe0";
    private static final String NODE = "/dev/infiniband/uverbs0";
    private static final String NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups ";

    @TempDir
    private Path directory;

    private LabNetwork network;

    @BeforeEach
    void remember() throws Exception {
        Optional<String> absence = RdmaDevice.absenceReason();
        if (RdmaDevice.isRequired()) {
            assertThat(absence).as("why the lab has no device").isEmpty();
        }
        assumeTrue(absence.isEmpty(), () -> "expected: " + absence.get());
        assumeTrue("qemu".equals(System.getenv("RXE_LAB")), "expected: only the lab's own guest may be broken");
        network = LabNetwork.of(DEVICE);
    }

    @AfterEach
    void shouldShowTheDeviceAgain() throws Exception {
        if (network != null) {
            JsonNode devices = network.restore();
            assertThat(devices.path("devices").path(0).path("name").asText()).isEqualTo(DEVICE);
            assertThat(devices.path("choices").path(0).path("device").asText()).isEqualTo(DEVICE);
        }
    }

    @Test
    void shouldShowTheDeviceAsItIs() throws Exception {
        JsonNode device =
                ToolRun.of("devices", "--format", "json").json().path("devices").path(0);
        assertThat(device.path("name").asText()).isEqualTo(DEVICE);
        assertThat(device.path("driver").asText()).isEqualTo("rdma_rxe");
        assertThat(device.path("limits").path("queuePairs").asInt()).isPositive();
        JsonNode port = device.path("ports").path(0);
        assertThat(port.path("state").asText()).isEqualTo("ACTIVE");
        assertThat(port.path("physicalState").asText()).isEqualTo("LinkUp");
        assertThat(port.path("linkLayer").asText()).isEqualTo("ETHERNET");
        assertThat(port.path("activeMtu").asInt()).isEqualTo(1024);
        assertThat(port.path("gids").findValuesAsText("address")).contains(network.address());
        assertThat(port.path("gids").findValuesAsText("networkInterface")).containsOnly(network.name());
        assertThat(ToolRun.of("devices").output())
                .contains(DEVICE, "ACTIVE, LinkUp")
                .containsPattern(network.address() + " +" + network.name() + " +" + DEVICE + " port 1 GID \\d+ ");
    }

    @Test
    void shouldFindNoProblemInTheLabAndTheWayToAPeer() throws Exception {
        ToolRun run =
                ToolRun.of("doctor", "--address", network.address(), "--peer", network.neighbour(), "--format", "json");
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(seen(run, "choice")).contains(network.address() + ": " + DEVICE + " port 1 GID ");
        assertThat(seen(run, "route")).contains("the way to " + network.neighbour() + " is over " + network.name());
        assertThat(seen(run, "RoCE port")).contains("4791");
    }

    @Test
    void shouldNameUnloadedModulesAndGetTheDeviceBack() throws Exception {
        Shell.run("rdma", "link", "delete", DEVICE);
        for (String module : List.of("rdma_rxe", "rdma_ucm", "rdma_cm", "ib_uverbs")) {
            Shell.run("modprobe", "-r", module);
        }
        ToolRun broken = doctor();
        assertThat(broken.status()).isEqualTo(1);
        assertProblem(broken, "kernel modules", "ib_uverbs: not loaded");
        assertProblem(broken, "devices", "the kernel has no RDMA device");
        ToolRun devices = ToolRun.of("devices");
        assertThat(devices.status()).isEqualTo(1);
        assertThat(devices.output()).contains("The kernel has no RDMA device");
        Shell.run("bash", "-c", remedy(broken, "kernel modules", "modprobe -a"));
        Shell.run("bash", "-c", remedy(broken, "kernel modules", "modprobe rdma_ucm"));
        Shell.run("bash", "-c", remedy(broken, "devices", "rdma link add"));
        awaitStatus("OK", "kernel modules", "devices", "provider", "device nodes", "opening", "addresses");
    }

    @Test
    void shouldNameAnInterfaceWithoutAddress() throws Exception {
        Shell.run("ip", "address", "flush", "dev", network.name());
        ToolRun broken = awaitStatus("PROBLEM", "addresses");
        assertProblem(broken, "addresses", "its interface " + network.name() + " has no IP address");
        String command = remedy(broken, "addresses", "ip address add");
        Shell.run("bash", "-c", command.replace("ADDRESS/PREFIX", network.address() + "/24"));
        awaitStatus("OK", "addresses", "choice");
    }

    @Test
    void shouldNameAnInterfaceThatIsDown() throws Exception {
        Shell.run("ip", "link", "set", network.name(), "down");
        ToolRun broken = awaitStatus("PROBLEM", "ports");
        assertProblem(broken, "ports", "interface " + network.name() + " is down");
        Shell.run("bash", "-c", remedy(broken, "ports", "ip link set"));
        awaitStatus("OK", "ports");
    }

    /** In processes of their own, of another user: all three are properties of a process, or taken in once by it. */
    @Test
    void shouldNameAProvidersLossAForbiddenNodeAndALowLimit() throws Exception {
        ToolProcess process = process();
        String provider = Shell.run("bash", "-c", "echo /usr/lib/*/libibverbs/librxe-rdmav*.so")
                .strip();
        Shell.run("chmod", "000", NODE);
        try {
            ToolRun broken = process.run(List.of("unshare --mount bash -c 'mkdir empty; mount --bind empty "
                    + Path.of(provider).getParent() + "; ulimit -Sl 64; exec " + NOBODY + process.command() + "'"));
            assertThat(broken.status()).as(broken.errors()).isEqualTo(1);
            assertProblem(broken, "provider", "the provider librxe-rdmav*.so is in none of");
            assertProblem(broken, "device nodes", NODE + " for " + DEVICE + " cannot be read and written");
            assertProblem(broken, "locked memory", "is 64 KiB, hard limit unlimited");
            assertThat(remedy(broken, "provider", "apt-get install"))
                    .endsWith(" " + Shell.run("dpkg", "-S", provider).split(":")[0]);
            assertThat(asNobody("ibv_devinfo")).as("C sees the node's lack").isNotZero();
            Shell.run("bash", "-c", remedy(broken, "device nodes", "chmod"));
            assertThat(asNobody("ibv_devinfo")).isZero();
            ToolRun cured = process.run(List.of(
                    "ulimit -Sl 64",
                    remedy(broken, "locked memory", "ulimit -l"),
                    "exec " + NOBODY + process.command()));
            assertThat(cured.status()).as(cured.output() + cured.errors()).isZero();
        } finally {
            Shell.run("chmod", "666", NODE);
        }
    }

    private ToolProcess process() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new ToolProcess(directory, "doctor --format json");
    }

    private static ToolRun doctor() {
        return ToolRun.of("doctor", "--format", "json");
    }

    /** Ports and GIDs follow a little after the commands that change them. */
    private static ToolRun awaitStatus(String status, String... checks) {
        ToolRun[] last = new ToolRun[1];
        Deadline.in(60, TimeUnit.SECONDS).await(status + " of " + String.join(", ", checks), () -> {
            last[0] = doctor();
            return List.of(checks).stream().allMatch(check -> status.equals(status(last[0], check)));
        });
        return last[0];
    }

    private static String status(ToolRun run, String check) {
        try {
            return run.check(check).path("status").asText();
        } catch (JsonProcessingException noJson) {
            throw new AssertionError(run.output(), noJson);
        }
    }

    private static int asNobody(String program) {
        return Shell.tryRun("bash", "-c", NOBODY + program).status();
    }

    private static void assertProblem(ToolRun run, String check, String seen) throws JsonProcessingException {
        assertThat(status(run, check)).as(run.output()).isEqualTo("PROBLEM");
        assertThat(seen(run, check)).contains(seen);
    }

    private static String seen(ToolRun run, String check) throws JsonProcessingException {
        StringBuilder text = new StringBuilder();
        run.check(check)
                .path("seen")
                .forEach(sentence -> text.append(sentence.asText()).append('\n'));
        return text.toString();
    }

    private static String remedy(ToolRun run, String check, String part) throws JsonProcessingException {
        for (JsonNode remedy : run.check(check).path("remedies")) {
            String command = remedy.path("command").asText();
            if (command.contains(part)) {
                return command;
            }
        }
        throw new AssertionError(
                "no remedy with '" + part + "': " + run.check(check).toPrettyString());
    }
}
