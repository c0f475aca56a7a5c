// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventWaitTest {
    private int descriptor;
    private EventWait wait;

    @BeforeEach
    void open() {
        Fixtures.requireNativeAccess();
        descriptor = Libc.eventfd(0, libc.EFD_CLOEXEC());
        assertThat(descriptor).isNotNegative();
        wait = EventWait.on(descriptor);
    }

    @AfterEach
    void close() {
        wait.close();
        assertThat(Libc.close(descriptor)).isZero();
    }

    @Test
    void shouldReturnFalseAtTheTimeLimit() {
        assertThat(wait.await(TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
    }

    @Test
    void shouldReturnTrueWhenTheDescriptorIsReadable() {
        makeReadable();

        assertThat(wait.await(0)).isTrue();
        assertThat(wait.await(TimeUnit.SECONDS.toNanos(30))).isTrue();
    }

    @Test
    void shouldReturnFalseFromAWaitThatIsWokenByAnotherThread() throws InterruptedException {
        AtomicReference<Boolean> result = new AtomicReference<>();
        Thread waiter = Thread.ofPlatform().start(() -> result.set(wait.await(TimeUnit.SECONDS.toNanos(50))));

        wait.wake();
        waiter.join(TimeUnit.SECONDS.toMillis(20));

        assertThat(result).hasValue(false);
    }

    @Test
    void shouldWakeOneWaitOnlyForEachWake() {
        wait.wake();

        assertThat(wait.await(TimeUnit.SECONDS.toNanos(30))).isFalse();
        makeReadable();
        assertThat(wait.await(TimeUnit.SECONDS.toNanos(30))).isTrue();
    }

    @Test
    void shouldWaitInWholeMillisecondsAndNeverWithoutLimit() {
        assertThat(EventWait.millis(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(EventWait.millis(1)).isEqualTo(1);
        assertThat(EventWait.millis(1_000_001)).isEqualTo(2);
        assertThat(EventWait.millis(0)).isZero();
        assertThat(EventWait.millis(-5)).isZero();
    }

    @Test
    void shouldRefuseADescriptorThatIsNotOpen() {
        assertThatIllegalStateException().isThrownBy(() -> EventWait.on(-1)).withMessageContaining("EBADF");
    }

    private void makeReadable() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L);
            assertThat(Libc.write(descriptor, one, Long.BYTES)).isEqualTo(Long.BYTES);
        }
    }
}
