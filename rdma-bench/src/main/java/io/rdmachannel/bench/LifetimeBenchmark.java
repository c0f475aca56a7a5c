// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Lifetime;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What does it cost per call that a closed handle cannot reach native code? */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LifetimeBenchmark {
    private Lifetime shared;
    private Lifetime confined;

    /** Begins one lifetime of each kind. */
    @Setup
    public void begin() {
        shared = Lifetime.of("shared", CloseOrder.QUEUE_PAIR).begin();
        confined = Lifetime.of("confined", CloseOrder.QUEUE_PAIR)
                .ownedBy(Thread.currentThread())
                .begin();
    }

    /** Any thread may use it: counted in and out. */
    @Benchmark
    public void sharedEnterAndExit() {
        shared.enter();
        shared.exit();
    }

    /** Only the owner may use it: compared. */
    @Benchmark
    public void confinedEnterAndExit() {
        confined.enter();
        confined.exit();
    }
}
