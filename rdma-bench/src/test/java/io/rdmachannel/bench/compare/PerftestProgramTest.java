// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.tool.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerftestProgramTest {
    private static final CompareSetting SETTING =
            new CompareSetting("127.0.0.1", "rxe0", 1, 3, 0, 1, 500, 100, 32, -1, 60);

    @TempDir
    Path directory;

    @Test
    void shouldSayWhatToInstallWhereProgramsAreMissing() throws IOException {
        Path program = Files.createFile(directory.resolve("ib_send_lat"));
        assertThat(program.toFile().setExecutable(true)).isTrue();

        PerftestProgram.require(List.of(TestKind.SEND_LAT), "/no/such/place:" + directory);
        assertThatThrownBy(() -> PerftestProgram.require(
                        List.of(TestKind.SEND_LAT, TestKind.READ_LAT, TestKind.WRITE_BW), directory.toString()))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith("not installed: ib_read_lat, ib_write_bw.")
                .hasMessageContaining("apt-get install perftest");
    }

    @Test
    void shouldCallLatencyProgramsForSingleLatencies() {
        assertThat(command(TestKind.SEND_LAT, PollMode.EVENT, 0, SETTING))
                .isEqualTo("taskset -c 0 ib_send_lat -F -d rxe0 -i 1 -p 4711 -n 500 -s 64 -x 3 -U -e");
    }

    @Test
    void shouldCallBandwidthProgramsWithADepth() {
        assertThat(command(TestKind.WRITE_BW, PollMode.BUSY, -1, SETTING))
                .isEqualTo("ib_write_bw -F -d rxe0 -i 1 -p 4711 -n 500 -s 64 -x 3 -t 32");
    }

    @Test
    void shouldLeaveOutWhatAProgramDoesNotHave() {
        CompareSetting inline = new CompareSetting("127.0.0.1", "mlx5_0", 2, -1, -1, -1, 500, 100, 32, 64, 60);

        assertThat(command(TestKind.ATOMIC_LAT, PollMode.BUSY, -1, inline))
                .isEqualTo("ib_atomic_lat -F -d mlx5_0 -i 2 -p 4711 -n 500 -U");
        assertThat(command(TestKind.WRITE_LAT, PollMode.BUSY, -1, inline)).endsWith("-U -I 64");
    }

    @Test
    void shouldKnowThatPerftestHasNoEventsForWrites() {
        assertThat(PerftestProgram.has(TestKind.WRITE_LAT, PollMode.EVENT)).isFalse();
        assertThat(PerftestProgram.has(TestKind.WRITE_BW, PollMode.EVENT)).isFalse();
        assertThat(PerftestProgram.has(TestKind.WRITE_BW, PollMode.BUSY)).isTrue();
        assertThat(PerftestProgram.has(TestKind.READ_LAT, PollMode.EVENT)).isTrue();
        assertThat(PerftestProgram.has(TestKind.READ_LAT, PollMode.ADAPTIVE)).isFalse();
    }

    @Test
    void shouldEndAProgramThatTakesTooLong() throws InterruptedException {
        ChildProcess sleeping = ChildProcess.start(List.of("sleep", "1000"));
        try (sleeping) {
            assertThatThrownBy(() -> sleeping.result(1))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContainingAll("`sleep 1000`", "--timeout");
        }
        assertThat(sleeping.isAlive()).isFalse();
    }

    @Test
    void shouldShowWhatAFailingProgramPrinted() {
        try (ChildProcess failing = ChildProcess.start(List.of("sh", "-c", "echo no device; exit 3"))) {
            assertThatThrownBy(() -> failing.result(60))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContainingAll("status 3", "no device");
        }
        assertThatThrownBy(() -> ChildProcess.start(List.of("/no/such/program")))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("/no/such/program");
    }

    private static String command(TestKind test, PollMode mode, int cpu, CompareSetting setting) {
        return String.join(" ", PerftestProgram.command(new Cell(test, mode, 64), setting, cpu, 4711));
    }
}
