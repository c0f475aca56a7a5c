// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pools in a JVM of its own, which has a low limit on locked memory and lacks CAP_IPC_LOCK. */
@Tag("rdma")
@Timeout(240)
class MemoryLimitIT {
    @Test
    void shouldNameNeedLimitAndRemedyAndGoOnWithASmallerPool() throws Exception {
        LabDevice.find();
        assumeTrue("root".equals(System.getProperty("user.name")), "expected: only root can drop a capability");
        List<String> command = new ArrayList<>(List.of(
                "prlimit", "--memlock=65536:65536", "setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"));
        command.addAll(ChildJvm.command(MemoryLimitProgram.class, "--enable-native-access=ALL-UNNAMED"));
        String output = LabDevice.output(command.toArray(String[]::new));
        assertThat(output)
                .contains("exempt false")
                .contains("checked: registering 16 MiB does not fit")
                .contains("is 64 KiB")
                .contains("ulimit -l 16384")
                .contains("LimitMEMLOCK=infinity")
                .contains("IPC_LOCK")
                .contains("locked: locking 16 MiB does not fit")
                .contains("kernel: ENOMEM (12) explained true")
                .contains("regions afterwards 0")
                .contains("small pool works true")
                .contains("regions at the end 0");
    }
}
