// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.ffi.generated.libc.libc;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void shouldNameValuesAsTheHeadersDo() {
        assertThat(Errno.describe(12)).isEqualTo("ENOMEM (12)");
        assertThat(Errno.describe(11)).isEqualTo("EAGAIN (11)");
        assertThat(Errno.describe(95)).isEqualTo("EOPNOTSUPP (95)");
    }

    @Test
    void shouldGiveTheBareNumberOfAValueWithoutName() {
        assertThat(Errno.describe(99_999)).isEqualTo("errno 99999");
    }

    @Test
    void shouldCaptureTheErrnoOfAFailedCall() {
        Fixtures.requireNativeAccess();

        assertThat(Libc.close(-1)).isEqualTo(-1);

        assertThat(Errno.captured()).isEqualTo(libc.EBADF());
    }

    @Test
    void shouldKeepTheErrnoOfEachThreadApart() throws InterruptedException {
        Fixtures.requireNativeAccess();
        Libc.close(-1);
        AtomicInteger other = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofPlatform().start(() -> {
            Libc.eventfd(0, -1);
            other.set(Errno.captured());
            done.countDown();
        });

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(other).hasValue(libc.EINVAL());
        assertThat(Errno.captured()).isEqualTo(libc.EBADF());
    }
}
