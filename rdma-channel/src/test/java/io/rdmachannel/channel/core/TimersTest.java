// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50);
    private final Timers timers = new Timers(clock::get);
    private final List<String> done = new ArrayList<>();

    @Test
    void shouldDoWhatIsDueInItsOrderAcrossTheClocksOverflow() {
        timers.schedule(100, () -> done.add("late"));
        timers.schedule(10, () -> done.add("early"));
        assertThat(timers.expire()).isZero();
        assertThat(timers.untilNext(1000)).isEqualTo(10);
        clock.addAndGet(10);
        assertThat(timers.expire()).isEqualTo(1);
        clock.addAndGet(90);
        assertThat(timers.untilNext(1000)).isZero();
        assertThat(timers.expire()).isEqualTo(1);
        assertThat(done).containsExactly("early", "late");
        assertThat(timers.untilNext(1000)).isEqualTo(1000);
    }

    @Test
    void shouldForgetWhatIsCancelled() {
        Timers.Timer timer = timers.schedule(1, () -> done.add("cancelled"));
        timer.cancel();
        clock.addAndGet(5);
        assertThat(timers.expire()).isZero();
        assertThat(done).isEmpty();
    }

    @Test
    void shouldLetAnActionScheduleAnother() {
        timers.schedule(1, () -> timers.schedule(0, () -> done.add("second")));
        clock.addAndGet(1);
        timers.expire();
        assertThat(done).containsExactly("second");
    }
}
