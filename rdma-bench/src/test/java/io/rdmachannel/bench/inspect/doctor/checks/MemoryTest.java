// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.mempool.LockedMemory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locked memory and huge pages. */
class MemoryTest {
    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    private Path root;

    @Test
    void shouldHaveRoomWithoutLimit() {
        Finding finding = RecordedMachine.softRoce(root).run(new LockedMemoryCheck());
        assertThat(finding.status()).isEqualTo(Status.OK);
        assertThat(finding.seen().getFirst()).contains("16 MiB at first and at most 1 GiB");
        assertThat(finding.seen().getLast()).isEqualTo("the limit (RLIMIT_MEMLOCK) is unlimited");
    }

    @Test
    void shouldHaveRoomWithTheCapability() {
        RecordedMachine machine = RecordedMachine.softRoce(root);
        machine.library().memory = new LockedMemory(65536, 0, 0, true);
        Finding finding = machine.run(new LockedMemoryCheck());
        assertThat(finding.status()).isEqualTo(Status.OK);
        assertThat(finding.seen().getLast()).contains("CAP_IPC_LOCK");
    }

    @Test
    void shouldNameALimitThatAPollerDoesNotFitInto() {
        Finding finding = RecordedMachine.connectX(root).run(new LockedMemoryCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen().getLast()).contains("is 8 MiB, hard limit 16 MiB, 8 MiB may still be pinned");
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains(
                        "ulimit -l 1048576",
                        "LimitMEMLOCK=infinity",
                        "@GROUP - memlock unlimited",
                        "docker run --ulimit memlock=-1:-1 IMAGE");
    }

    @Test
    void shouldWarnWhereAPollerCannotGrow() {
        RecordedMachine machine = RecordedMachine.connectX(root);
        machine.library().memory = new LockedMemory(64 * MEBIBYTE, 0, 8 * MEBIBYTE, false);
        assertThat(machine.run(new LockedMemoryCheck()).status()).isEqualTo(Status.WARNING);
        machine.library().memory = new LockedMemory(2048 * MEBIBYTE, 0, 0, false);
        assertThat(machine.run(new LockedMemoryCheck()).status()).isEqualTo(Status.OK);
        machine.library().memory = new LockedMemory(64 * MEBIBYTE, 0, 63 * MEBIBYTE, false);
        assertThat(machine.run(new LockedMemoryCheck()).status()).isEqualTo(Status.PROBLEM);
    }

    @Test
    void shouldCountHugePagesBySizeAndNode() {
        assertThat(RecordedMachine.connectX(root).run(new HugePagesCheck()))
                .isEqualTo(Finding.of(Status.OK, "transparent huge pages: madvise")
                        .and(Status.OK, "pages of 2 MiB: 512 free of 1024 (node0 512 of 512, node1 0 of 512)"));
    }

    @Test
    void shouldWarnWhereThereAreNoTransparentHugePages() {
        Finding finding = RecordedMachine.softRoce(root)
                .write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]")
                .run(new HugePagesCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
    }
}
