// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to acquire and release a buffer, alone and with another thread doing the same, and what does Netty
 * take for it? Target: 15 ns, half of Netty's time, no garbage ({@code -prof gc}), and with two threads at most 1.3
 * times as much.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xms1g",
            "-Xmx1g"
        })
public class PoolAcquireReleaseBenchmark {
    /** The payload. */
    @Param({"4096"})
    int bytes;

    private RegisteredMemoryPool pool;

    /** Makes the pool. */
    @Setup
    public void open() {
        pool = BenchmarkPools.unregistered();
    }

    /** Closes the pool, which proves that all came back. */
    @TearDown
    public void close() {
        pool.close();
    }

    /**
     * One thread.
     *
     * @return the address, so that the lease is looked at
     */
    @Benchmark
    @Threads(1)
    public long oneThread() {
        return acquireAndRelease();
    }

    /**
     * Two threads on one pool.
     *
     * @return the address, so that the lease is looked at
     */
    @Benchmark
    @Threads(2)
    public long twoThreads() {
        return acquireAndRelease();
    }

    /**
     * Netty's pool, one thread.
     *
     * @return the address, so that the buffer is looked at
     */
    @Benchmark
    @Threads(1)
    public int nettyOneThread() {
        return nettyAcquireAndRelease();
    }

    /**
     * Netty's pool, two threads.
     *
     * @return the address, so that the buffer is looked at
     */
    @Benchmark
    @Threads(2)
    public int nettyTwoThreads() {
        return nettyAcquireAndRelease();
    }

    private long acquireAndRelease() {
        Lease lease = pool.acquire(bytes);
        long address = lease.address();
        lease.release();
        return address;
    }

    private int nettyAcquireAndRelease() {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
        int capacity = buffer.capacity();
        buffer.release();
        return capacity;
    }
}
