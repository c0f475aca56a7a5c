// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.Verbs;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For tests that need a device: skips them with a reason where there is none, fails them in the lab, where there must
 * be one; and fails each test that leaves an RDMA object behind.
 */
final class RdmaLab implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final Duration CLEAN_LIMIT = Duration.ofSeconds(10);

    private RdmaResources before;

    @Override
    public void beforeAll(ExtensionContext context) {
        String missing = missing();
        if (missing != null && isRequired()) {
            fail("This is the lab, and " + missing);
        } else if (missing != null) {
            abort("expected: " + missing + "; see rxe-lab/README.md");
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        before = RdmaResources.now();
    }

    /** C processes that were killed are cleaned up by the kernel a little later. */
    @Override
    public void afterEach(ExtensionContext context) {
        RdmaResources[] now = new RdmaResources[1];
        try {
            Wait.until("RDMA resources as before", CLEAN_LIMIT, () -> {
                now[0] = RdmaResources.now();
                return now[0].equals(before);
            });
        } catch (AssertionError left) {
            fail("RDMA objects were left behind: before " + before + ", after " + now[0]);
        }
    }

    static int gidIndex() {
        try (DeviceContext context = Device.list().getFirst().open()) {
            return new GidChoice(InetAddress.getLoopbackAddress(), 0)
                    .best(context.gidTable(1))
                    .orElseThrow()
                    .index();
        }
    }

    private static boolean isRequired() {
        Map<String, String> environment = System.getenv();
        return "1".equals(environment.get("RDMA_LAB")) || environment.containsKey("RXE_LAB");
    }

    private static String missing() {
        if (!Verbs.isAvailable()) {
            return Verbs.unavailabilityReason().orElseThrow();
        }
        if (Device.list().isEmpty()) {
            return "this machine has no RDMA device";
        }
        return Stream.of("ibv_rc_pingpong", "rdma")
                .filter(program -> !isInstalled(program))
                .map(program -> "the program " + program + " is not installed")
                .findFirst()
                .orElse(null);
    }

    private static boolean isInstalled(String program) {
        List<String> path = List.of(System.getenv("PATH").split(":"));
        return path.stream().anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
