// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import io.rdmachannel.channel.Transport;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Results with made-up figures. */
public final class Samples {
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private Samples() {}

    /** Whole times of 1000, 2000, … nanoseconds. */
    public static Histogram histogram(int count) {
        Histogram times = new Histogram(MINUTE_NANOS, 3);
        for (int i = 1; i <= count; i++) {
            times.recordValue(i * 1000L);
        }
        return times;
    }

    public static TestResult latency(TestKind test, Transport transport, int size, Double rate) {
        LatencyBasis basis = rate == null ? test.basis() : LatencyBasis.FROM_INTENDED_START;
        Latency latency = Latency.of(histogram(1000), basis, List.of());
        String device = transport == Transport.RDMA ? "rxe0" : null;
        return new TestResult(
                test, transport, null, device, PollMode.BUSY, size, 1000, 1, 256, 8192, rate, 0.5, latency, null);
    }

    public static TestResult bandwidth(TestKind test, Transport transport, int size) {
        Bandwidth bandwidth = Bandwidth.of(1000, size, 1_000_000_000L);
        return new TestResult(
                test, transport, null, null, PollMode.BUSY, size, 1000, 128, 256, 8192, null, 1.0, null, bandwidth);
    }

    public static ResultDocument document(List<TestResult> results) {
        return new ResultDocument(
                ResultDocument.SCHEMA, "0.0", Environment.current(), "rdma-bench client a<b> send-lat", results);
    }
}
