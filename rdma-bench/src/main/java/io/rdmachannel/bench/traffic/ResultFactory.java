// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.Bandwidth;
import io.rdmachannel.bench.result.Latency;
import io.rdmachannel.bench.result.LatencyBasis;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.verbs.Device;
import java.util.List;

/** Puts what a run found together with what it was about. */
final class ResultFactory {
    private static final double NANOS_PER_SECOND = 1e9;

    private final TestPlan plan;
    private final Transport transport;
    private final String fallbackReason;
    private final String device;
    private final List<Double> percentiles;

    /**
     * Makes a factory.
     *
     * @param plan what was agreed on
     * @param channel the channel for the traffic
     * @param device the device that was asked for; empty for none
     * @param percentiles those that are wanted beside the usual ones
     */
    ResultFactory(TestPlan plan, RdmaChannel channel, String device, List<Double> percentiles) {
        this.plan = plan;
        this.transport = channel.transport();
        this.fallbackReason = channel.fallbackReason().orElse(null);
        this.device = transport == Transport.RDMA ? device(device) : null;
        this.percentiles = percentiles;
    }

    TestResult latency(int size, ClientRuns.Times times) {
        boolean paced = plan.rate() > 0;
        LatencyBasis basis =
                paced ? LatencyBasis.FROM_INTENDED_START : plan.test().basis();
        Latency latency = Latency.of(times.histogram(), basis, percentiles);
        long iterations = times.histogram().getTotalCount();
        return result(size, iterations, 1, times.nanos(), latency, null);
    }

    TestResult bandwidth(int size, BandwidthTest.Run run) {
        Bandwidth bandwidth = Bandwidth.of(run.operations(), size, run.nanos());
        return result(size, run.operations(), plan.txDepth(), run.nanos(), null, bandwidth);
    }

    private TestResult result(int size, long iterations, int depth, long nanos, Latency latency, Bandwidth bandwidth) {
        return new TestResult(
                plan.test(),
                transport,
                fallbackReason,
                device,
                plan.mode(),
                size,
                iterations,
                depth,
                plan.rxDepth(),
                plan.receiveBytes(),
                plan.rate() > 0 ? plan.rate() : null,
                nanos / NANOS_PER_SECOND,
                latency,
                bandwidth);
    }

    /** A channel does not tell its device, but where there is one only it must be that. */
    private static String device(String wanted) {
        if (!wanted.isEmpty()) {
            return wanted;
        }
        List<Device> devices = Device.list();
        return devices.size() == 1 ? devices.getFirst().name() : null;
    }
}
