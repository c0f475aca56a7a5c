// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java, libibverbs, librdmacm, providers, and opening devices. */
class LibrariesTest {
    private static final String PROVIDER = "/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so";

    @TempDir
    private Path root;

    @Test
    void shouldTellTheJavaVersion() {
        Finding finding = RecordedMachine.softRoce(root).run(new JavaCheck());
        assertThat(finding.status()).isEqualTo(Status.OK);
        assertThat(finding.seen().getFirst()).contains(Runtime.version().toString());
    }

    @Test
    void shouldTellTheFlagThatNativeAccessNeeds() {
        RecordedMachine machine = RecordedMachine.softRoce(root);
        machine.library().nativeAccessProblem = "This Java machine was started without native access.";
        Finding finding = machine.run(new JavaCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .containsExactly("java --enable-native-access=ALL-UNNAMED");
    }

    @Test
    void shouldTellFileAndReleaseOfTheLibraries() {
        RecordedMachine machine = RecordedMachine.softRoce(root);
        assertThat(machine.run(new VerbsLibraryCheck()))
                .isEqualTo(Finding.of(Status.OK, "/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0 of rdma-core 44"));
        assertThat(machine.run(new ConnectionManagerCheck()))
                .isEqualTo(Finding.of(Status.OK, "/usr/lib/x86_64-linux-gnu/librdmacm.so.1.3.44.0 of rdma-core 44"));
    }

    @Test
    void shouldInstallAMissingVerbsLibraryByTheDistributionsPackages() {
        RecordedMachine debian = RecordedMachine.softRoce(root.resolve("debian"));
        debian.library().verbsProblem = "libibverbs.so.1 cannot be opened.";
        assertProblem(debian.run(new VerbsLibraryCheck()), "apt-get install libibverbs1 ibverbs-providers");
        RecordedMachine fedora = RecordedMachine.connectX(root.resolve("fedora"));
        fedora.library().verbsProblem = "libibverbs.so.1 cannot be opened.";
        assertProblem(fedora.run(new VerbsLibraryCheck()), "dnf install libibverbs");
        RecordedMachine other = RecordedMachine.empty(root.resolve("other"));
        other.library().verbsProblem = "libibverbs.so.1 cannot be opened.";
        assertThat(other.run(new VerbsLibraryCheck()).remedies().getFirst().text())
                .contains("libibverbs1 ibverbs-providers");
    }

    @Test
    void shouldOnlyWarnWithoutTheConnectionManager() {
        RecordedMachine machine = RecordedMachine.softRoce(root);
        machine.library().connectionManagerProblem = "librdmacm.so.1 cannot be opened.";
        Finding finding = machine.run(new ConnectionManagerCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.remedies()).extracting(Remedy::command).containsExactly("apt-get install librdmacm1");
    }

    @Test
    void shouldSayThatTheLibraryOffersTheDevice() {
        assertThat(RecordedMachine.softRoce(root).run(new ProviderCheck()))
                .isEqualTo(Finding.of(Status.OK, "libibverbs offers rxe0"));
    }

    @Test
    void shouldNameTheMissingProvider() {
        RecordedMachine machine = RecordedMachine.softRoce(root).remove(PROVIDER);
        machine.library().devices.clear();
        Finding finding = machine.run(new ProviderCheck());
        assertProblem(finding, "apt-get install --reinstall ibverbs-providers");
        assertThat(finding.seen().getFirst())
                .contains("the kernel has rxe0, but libibverbs does not offer it")
                .contains("librxe-rdmav*.so is in none of [/usr/lib/x86_64-linux-gnu/libibverbs]");
    }

    @Test
    void shouldNameTheMissingLineOfConfiguration() {
        RecordedMachine machine = RecordedMachine.softRoce(root).remove("/etc/libibverbs.d/rxe.driver");
        machine.library().devices.clear();
        assertThat(machine.run(new ProviderCheck()).seen().getFirst())
                .contains("no file of /etc/libibverbs.d has the line 'driver rxe'");
    }

    @Test
    void shouldNameAProviderOfAnotherBuild() {
        RecordedMachine machine = RecordedMachine.softRoce(root)
                .remove(PROVIDER)
                .write(PROVIDER.replace("rdmav34", "rdmav25"), "(an ELF file)");
        machine.library().devices.clear();
        assertThat(machine.run(new ProviderCheck()).seen().getFirst())
                .contains("it wants a provider of version rdmav34")
                .contains("librxe-rdmav25.so");
    }

    @Test
    void shouldNameADeviceThatUverbsDoesNotServe() {
        RecordedMachine machine = RecordedMachine.softRoce(root).remove("/sys/class/infiniband_verbs");
        machine.library().devices.clear();
        assertProblem(machine.run(new ProviderCheck()), "modprobe ib_uverbs");
    }

    @Test
    void shouldHaveNoProviderToLookForWithoutLibraryOrDevice() {
        RecordedMachine machine = RecordedMachine.softRoce(root).remove("/sys/class/infiniband/rxe0");
        assertThat(machine.run(new ProviderCheck()))
                .isEqualTo(Finding.of(Status.NOT_APPLICABLE, "no device; providers that are installed: 2"));
        machine.library().verbsProblem = "not there";
        assertThat(machine.run(new ProviderCheck()).status()).isEqualTo(Status.NOT_APPLICABLE);
    }

    @Test
    void shouldOpenEachDevice() {
        RecordedMachine machine = RecordedMachine.connectX(root);
        assertThat(machine.run(new OpeningCheck()).seen())
                .containsExactly("mlx5_0 can be opened", "mlx5_1 can be opened");
        machine.library().openingProblems.put("mlx5_1", "opening device mlx5_1 failed: EPERM (1).");
        Finding finding = machine.run(new OpeningCheck());
        assertProblem(finding, "docker run --device=/dev/infiniband IMAGE");
        assertThat(finding.seen()).contains("mlx5_0 can be opened", "opening device mlx5_1 failed: EPERM (1).");
    }

    @Test
    void shouldHaveNothingToOpenWithoutDevices() {
        assertThat(RecordedMachine.empty(root).run(new OpeningCheck()).status()).isEqualTo(Status.NOT_APPLICABLE);
    }

    private static void assertProblem(Finding finding, String command) {
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.remedies()).extracting(Remedy::command).contains(command);
    }
}
