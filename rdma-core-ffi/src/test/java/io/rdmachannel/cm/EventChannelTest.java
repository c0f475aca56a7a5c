// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.rdmachannel.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EventChannelTest {
    @Test
    void shouldSayWhatIsMissingWhenTheKernelHasNoConnectionManager() {
        assumeFalse(Files.exists(Path.of("/dev/infiniband/rdma_cm")), "expected: the kernel has a connection manager");

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(EventChannel::create)
                .withMessageContainingAll("rdma_create_event_channel", "modprobe rdma_ucm");
    }
}
