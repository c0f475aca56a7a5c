// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class ThreadDumpTest {
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(2);

    @Test
    void shouldTellWhatPlatformAndVirtualThreadsOfOursWaitFor() throws InterruptedException {
        Thread.ofPlatform().name("one that is stuck").start(this::stand);
        Thread.ofVirtual().name("another one").start(this::stand);
        begun.await();
        String dump = ThreadDump.of(ProcessHandle.current().pid());
        end.countDown();
        assertThat(dump)
                .contains("one that is stuck", "another one", "ThreadDumpTest.stand")
                .doesNotContain("Reference Handler");
    }

    @Test
    void shouldSayWhyThereIsNone() {
        assertThat(ThreadDump.of(1L << 22)).startsWith("(no thread dump: ").endsWith(")");
    }

    private void stand() {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
