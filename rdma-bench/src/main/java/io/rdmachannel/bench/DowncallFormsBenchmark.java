// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
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

/**
 * What does one native call of the shape of {@code ibv_poll_cq} cost, by the way it is linked? The function does
 * nothing, so the figure is the way there and back; {@code cLoopOfThousand} is the same call made by C, through a
 * function pointer.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@SuppressWarnings("restricted")
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DowncallFormsBenchmark {
    private static final int CALLS = 1000;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor LONGS = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor POINTERS = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    private static final MemorySegment FUNCTION = TrivialLibrary.symbol("trivial_poll");
    private static final MethodHandle BOUND_POINTERS = bound(POINTERS);
    private static final MethodHandle BOUND_CRITICAL = bound(LONGS, Linker.Option.critical(false));
    private static final MethodHandle TABLE = through(LONGS);
    private static final MethodHandle TABLE_CRITICAL = through(LONGS, Linker.Option.critical(false));
    private static final MethodHandle TABLE_ERRNO = through(LONGS, Linker.Option.captureCallState("errno"));
    private static final MethodHandle C_LOOP = LINKER.downcallHandle(
            TrivialLibrary.symbol("trivial_loop"), FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT));

    private MemorySegment pointer;
    private MemorySegment capture;
    private MemorySegment fromTable;

    /** Makes what a queue object would keep in its fields. */
    @Setup
    public void prepare() {
        pointer = TrivialLibrary.memory(64);
        capture = TrivialLibrary.memory(Linker.Option.captureStateLayout().byteSize());
        fromTable = FUNCTION;
    }

    /**
     * A bound handle that takes pointers as segments.
     *
     * @return the call's result
     * @throws Throwable never
     */
    @Benchmark
    public int boundWithSegments() throws Throwable {
        return (int) BOUND_POINTERS.invokeExact(pointer, 16, pointer);
    }

    /**
     * A bound, critical handle that takes addresses as long.
     *
     * @return the call's result
     * @throws Throwable never
     */
    @Benchmark
    public int boundCritical() throws Throwable {
        return (int) BOUND_CRITICAL.invokeExact(1L, 16, 2L);
    }

    /**
     * Through a function pointer kept in a field, as the ops table is used.
     *
     * @return the call's result
     * @throws Throwable never
     */
    @Benchmark
    public int throughTable() throws Throwable {
        return (int) TABLE.invokeExact(fromTable, 1L, 16, 2L);
    }

    /**
     * The same, critical: what the data path does.
     *
     * @return the call's result
     * @throws Throwable never
     */
    @Benchmark
    public int throughTableCritical() throws Throwable {
        return (int) TABLE_CRITICAL.invokeExact(fromTable, 1L, 16, 2L);
    }

    /**
     * The same with errno captured, which the data path does not need.
     *
     * @return the call's result
     * @throws Throwable never
     */
    @Benchmark
    public int throughTableCapturingErrno() throws Throwable {
        return (int) TABLE_ERRNO.invokeExact(fromTable, capture, 1L, 16, 2L);
    }

    /**
     * A thousand calls by C through the function pointer; the figure is per thousand.
     *
     * @return the sum, so that nothing is left out
     * @throws Throwable never
     */
    @Benchmark
    public long cLoopOfThousand() throws Throwable {
        return (long) C_LOOP.invokeExact(fromTable, CALLS);
    }

    private static MethodHandle bound(FunctionDescriptor shape, Linker.Option... options) {
        return LINKER.downcallHandle(FUNCTION, shape, options);
    }

    private static MethodHandle through(FunctionDescriptor shape, Linker.Option... options) {
        return LINKER.downcallHandle(shape, options);
    }
}
