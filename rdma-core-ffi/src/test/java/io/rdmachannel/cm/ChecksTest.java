// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksTest {
    @ParameterizedTest
    @CsvSource({"1, NANOSECONDS, 1", "1, MILLISECONDS, 1", "1000001, NANOSECONDS, 2", "2, SECONDS, 2000"})
    void shouldRoundATimeLimitUpToMilliseconds(long timeout, TimeUnit unit, int millis) {
        assertThat(Checks.timeoutMillis(timeout, unit)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"0, SECONDS", "-1, SECONDS", "2147483648, MILLISECONDS", "9223372036854775807, DAYS"})
    void shouldRefuseATimeLimitThatTheKernelCannotKeep(long timeout, TimeUnit unit) {
        assertThatIllegalArgumentException().isThrownBy(() -> Checks.timeoutMillis(timeout, unit));
    }

    @Test
    void shouldRefuseATimeLimitWithoutAUnit() {
        assertThatNullPointerException().isThrownBy(() -> Checks.timeoutMillis(1, null));
    }
}
