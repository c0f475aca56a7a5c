// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.mempool.Lease;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The client's runs over one channel, one for each size: warms up, measures, tells the server of begin and end. */
final class ClientRuns implements AutoCloseable {
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int LATER_PART = 10;

    private final TestPlan plan;
    private final TestOptions options;
    private final DataLine line;
    private final ControlLink control;
    private final TestMemory memory;
    private final Lease buffer;
    private final RemoteRegion remote;
    private final Progress progress = new Progress();
    private final LatencyRecorder recorder = new LatencyRecorder(progress);
    private boolean warm;

    /**
     * Prepares.
     *
     * @param plan what was agreed on
     * @param options how long to measure
     * @param line the channel
     * @param control the conversation with the server
     * @param memory what the server may write to
     */
    ClientRuns(TestPlan plan, TestOptions options, DataLine line, ControlLink control, TestMemory memory) {
        this.plan = plan;
        this.options = options;
        this.line = line;
        this.control = control;
        this.memory = memory;
        boolean oneSided = plan.test().isOneSided();
        if (plan.test() == TestKind.WRITE_LAT) {
            memory.expose(line);
        }
        this.remote = oneSided ? line.region() : null;
        this.buffer = oneSided ? line.acquire(WritePingPong.sourceBytes(plan.sizeMax())) : null;
    }

    /** What a latency run found: whole times in nanoseconds, valid until the next run, and how long it took. */
    record Times(Histogram histogram, long nanos) {}

    Times latency(int size, Duration timeout) throws InterruptedException {
        if (plan.test() == TestKind.WRITE_LAT) {
            WritePingPong.clear(memory.segment(), size);
        }
        begin(size, timeout);
        WritePingPong pingPong = plan.test() == TestKind.WRITE_LAT
                ? new WritePingPong(line, memory.segment(), remote, buffer, size)
                : null;
        LatencyTest test = latencyTest(size, pingPong);
        test.run(warmUp(), recorder);
        recorder.reset();
        RunLimit limit = limit();
        ProgressDisplay display = display(size, limit);
        long begin = System.nanoTime();
        try {
            if (plan.rate() > 0) {
                test.run(limit, new RateSchedule(System.nanoTime(), plan.rate()), System::nanoTime, recorder);
            } else {
                test.run(limit, recorder);
            }
        } finally {
            display.close();
        }
        long nanos = System.nanoTime() - begin;
        if (pingPong != null) {
            pingPong.finish();
        }
        line.sendEnd();
        return new Times(recorder.histogram(), nanos);
    }

    BandwidthTest.Run bandwidth(int size, Duration timeout) throws InterruptedException {
        begin(size, timeout);
        BandwidthTest test = switch (plan.test()) {
            case SEND_BW -> new SendBandwidth(line, size, plan.txDepth());
            case WRITE_BW -> new WriteBandwidth(line, remote, buffer, size, plan.txDepth());
            case READ_BW -> new ReadBandwidth(line, remote, buffer, size, plan.txDepth());
            default -> throw new IllegalStateException(plan.test() + " measures no bandwidth");
        };
        test.run(warmUp(), progress);
        RunLimit limit = limit();
        ProgressDisplay display = display(size, limit);
        try {
            return test.run(limit, progress);
        } finally {
            display.close();
            line.sendEnd();
        }
    }

    @Override
    public void close() {
        if (buffer != null) {
            buffer.release();
        }
    }

    private LatencyTest latencyTest(int size, WritePingPong pingPong) {
        return switch (plan.test()) {
            case SEND_LAT -> new SendLatency(line, size);
            case WRITE_LAT -> new WriteLatency(line, pingPong);
            case READ_LAT -> new ReadLatency(line, remote, buffer, size);
            case ATOMIC_LAT -> new AtomicLatency(line, remote, buffer);
            default -> throw new IllegalStateException(plan.test() + " measures no latency");
        };
    }

    private void begin(int size, Duration timeout) throws InterruptedException {
        control.send(ControlMessage.run(size));
        ControlMessage answer = control.require(timeout);
        if (answer.type() == ControlMessage.Type.REFUSED) {
            throw new ToolException("the server refuses: " + answer.reason());
        }
    }

    private RunLimit warmUp() {
        int part = warm ? LATER_PART : 1;
        warm = true;
        return new RunLimit(options.warmUp / part, WARM_UP_NANOS / part);
    }

    private RunLimit limit() {
        if (options.durationSeconds > 0) {
            return RunLimit.ofDuration(Duration.ofNanos((long) (options.durationSeconds * 1e9)));
        }
        return RunLimit.ofIterations(options.iterations);
    }

    private ProgressDisplay display(int size, RunLimit limit) {
        return ProgressDisplay.start(plan.test() + ", " + size + " bytes", limit, progress);
    }
}
