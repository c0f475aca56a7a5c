// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.Verbs;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The device that tests run against. Without one they are skipped; in the lab that is a failure. */
final class LabDevice {
    private static final Pattern REGIONS = Pattern.compile("\\bmr (\\d+)");

    private LabDevice() {}

    static Device find() {
        List<Device> devices = Verbs.unavailabilityReason().isPresent() ? List.of() : Device.list();
        if (System.getenv("RDMA_LAB") != null) {
            assertThat(devices).as("devices of the lab").isNotEmpty();
        }
        assumeTrue(!devices.isEmpty(), "expected: no RDMA device on this machine");
        return devices.getFirst();
    }

    /** How many memory regions the kernel knows, of all processes: in the lab there is no other one. */
    static long regionsInKernel() throws IOException, InterruptedException {
        Matcher counts = REGIONS.matcher(output("rdma", "resource", "show"));
        long sum = 0;
        while (counts.find()) {
            sum += Long.parseLong(counts.group(1));
        }
        return sum;
    }

    static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("%s ends", List.of(command))
                .isTrue();
        return text;
    }
}
