// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.mempool.HugePages;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.MemoryLocking;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.PoolStats;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import io.rdmachannel.mempool.Registrar;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.Verbs;
import java.util.Arrays;
import java.util.Set;

/**
 * How long does it take from nothing to the first buffer of a pool? Prints a line for each size and kind of pages;
 * registers with the first RDMA device, and without one measures an unregistered pool.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp benchmarks.jar io.rdmachannel.bench.FirstBuffer [MIB...]</pre>
 */
public final class FirstBuffer {
    private static final String[] DEFAULT_SIZES = {"64", "256", "1024"};
    private static final int REPETITIONS = 5;

    private FirstBuffer() {}

    /**
     * Measures.
     *
     * @param arguments sizes of the pool in MiB
     */
    public static void main(String[] arguments) {
        String[] sizes = arguments.length == 0 ? DEFAULT_SIZES : arguments;
        Device device = Verbs.unavailabilityReason().isPresent()
                ? null
                : Device.list().stream().findFirst().orElse(null);
        System.out.println("device " + (device == null ? "none, unregistered" : device.name()));
        System.out.println("MiB pages threads median_ms registration_ms notes");
        for (String size : sizes) {
            for (HugePages pages : HugePages.values()) {
                measure(device, Long.parseLong(size) << 20, pages);
            }
        }
    }

    private static void measure(Device device, long bytes, HugePages pages) {
        int threads = Runtime.getRuntime().availableProcessors();
        long[] total = new long[REPETITIONS];
        PoolStats stats = null;
        for (int i = 0; i < REPETITIONS; i++) {
            PoolConfig.Builder config = PoolConfig.builder()
                    .initialBytes(bytes)
                    .hugePages(pages)
                    .prefaultThreads(Math.min(64, threads))
                    .locking(MemoryLocking.NONE);
            try (DeviceContext context = device == null ? null : device.open()) {
                if (context != null) {
                    config.registerWith(
                            Registrar.of(context.allocateProtectionDomain(), Set.of(AccessFlag.LOCAL_WRITE)));
                }
                long begin = System.nanoTime();
                RegisteredMemoryPool pool = RegisteredMemoryPool.create(config.build());
                Lease lease = pool.acquire(4096);
                total[i] = System.nanoTime() - begin;
                stats = pool.stats();
                lease.release();
                pool.close();
            }
        }
        Arrays.sort(total);
        System.out.printf(
                "%d %s %d %.1f %.1f %s%n",
                bytes >> 20,
                pages,
                threads,
                total[REPETITIONS / 2] / 1e6,
                stats.registrationNanos() / 1e6,
                stats.placement().notes());
    }
}
