// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.Transport;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a test is run, in perftest's vocabulary. */
public final class TestOptions {
    static final int ATOMIC_BYTES = 8;

    private static final int DEPTH_MAX = 8192;
    private static final int RECEIVE_DEPTH_MIN = 16;
    private static final int RECEIVE_DEPTH_MAX = 16384;
    private static final int FRAME_HEADER_BYTES = 32;
    private static final int INLINE_MAX = 4096 - FRAME_HEADER_BYTES;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = MessageSize.class,
            description = "Bytes of one operation, 1 to 64m; k and m are 1024 and 1048576 of them"
                    + " (default: 64 for latency, 65536 for bandwidth; an atomic has 8).")
    Integer size;

    @Option(
            names = {"-a", "--all"},
            description = "All sizes from 2 bytes to 8 MiB, each twice the one before.")
    boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Operations that are measured, of each size, 1 or more (default: ${DEFAULT-VALUE}).")
    long iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Measure so many seconds of each size, instead of a number of operations.")
    double durationSeconds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Operations before the first measurement, but not more than 10 s of them, so that the JIT"
                    + " compiler is through; a tenth of it before each further size (default: ${DEFAULT-VALUE}).")
    long warmUp;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            defaultValue = "128",
            description =
                    "Bandwidth: operations that are outstanding at a time, 1 to 8192 (default: ${DEFAULT-VALUE}).")
    int txDepth;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            defaultValue = "0",
            description = "Receive buffers of each side, 16 to 16384 (default: twice --tx-depth, at least 16).")
    int rxDepth;

    @Option(
            names = {"-I", "--inline"},
            paramLabel = "BYTES",
            defaultValue = "224",
            description = "RDMA: messages up to this size go inline with the work request, where the device grants it;"
                    + " 0 to 4064, 0 for none (default: ${DEFAULT-VALUE}).")
    int inline;

    @Option(
            names = "--receive-bytes",
            paramLabel = "BYTES",
            converter = MessageSize.class,
            defaultValue = "8k",
            description = "Messages up to this size are sent at once, larger ones are fetched by the receiver;"
                    + " 64 to 16m (default: ${DEFAULT-VALUE}).")
    int receiveBytes;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "busy",
            description = "What both sides do while they wait: busy (look again at once), event (sleep until the kernel"
                    + " wakes them), adaptive (look again for 50 µs, then sleep) (default: ${DEFAULT-VALUE}).")
    PollMode mode;

    @Option(
            names = {"-e", "--events"},
            description = "The same as --mode event.")
    boolean events;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Latency: begin so many operations a second, and count each from when it was to begin, so that"
                            + " the wait behind a slow one is not left out (default: one after the other).")
    double rate;

    PollMode mode() {
        return events ? PollMode.EVENT : mode;
    }

    /** The sizes of this test, smallest first. */
    int[] sizes(TestKind test) {
        if (all) {
            return MessageSize.all();
        }
        if (test == TestKind.ATOMIC_LAT) {
            return new int[] {ATOMIC_BYTES};
        }
        return new int[] {size != null ? size : test.isLatency() ? 64 : 65536};
    }

    TestPlan plan(TestKind test, Transport transport) {
        int[] sizes = sizes(test);
        return new TestPlan(
                test,
                transport,
                mode(),
                sizes[sizes.length - 1],
                txDepth,
                rxDepth > 0 ? rxDepth : Math.max(RECEIVE_DEPTH_MIN, 2 * txDepth),
                inline == 0 ? 0 : inline + FRAME_HEADER_BYTES,
                receiveBytes,
                rate);
    }

    /** Says what is wrong with the values; empty if nothing is. */
    Optional<String> complaint(TestKind test) {
        if (test == TestKind.ATOMIC_LAT && (all || size != null && size != ATOMIC_BYTES)) {
            return Optional.of("an atomic operation has " + ATOMIC_BYTES + " bytes: leave --size and --all out");
        }
        if (all && size != null) {
            return Optional.of("--all and --size exclude each other");
        }
        if (test == TestKind.WRITE_LAT && mode() != PollMode.BUSY) {
            return Optional.of("in write-lat both sides look at their memory, and nothing would wake them:"
                    + " use --mode busy, or send-lat for events");
        }
        if (rate < 0 || rate > 0 && !test.isLatency()) {
            return Optional.of(
                    "--rate is for latency tests, and must not be negative; " + test + " goes as fast as it" + " can");
        }
        return ranges();
    }

    private Optional<String> ranges() {
        if (iterations < 1 || warmUp < 0 || durationSeconds < 0) {
            return Optional.of("--iters must be 1 or more, --warm-up and --duration 0 or more");
        }
        if (txDepth < 1 || txDepth > DEPTH_MAX) {
            return Optional.of("--tx-depth is " + txDepth + "; 1 to " + DEPTH_MAX + " are possible");
        }
        if (rxDepth != 0 && (rxDepth < RECEIVE_DEPTH_MIN || rxDepth > RECEIVE_DEPTH_MAX)) {
            return Optional.of("--rx-depth is " + rxDepth + "; " + RECEIVE_DEPTH_MIN + " to " + RECEIVE_DEPTH_MAX
                    + " are possible");
        }
        if (inline < 0 || inline > INLINE_MAX) {
            return Optional.of("--inline is " + inline + "; 0 to " + INLINE_MAX + " are possible");
        }
        try {
            ChannelConfig.builder().receiveBytes(receiveBytes).build();
        } catch (IllegalArgumentException wrong) {
            return Optional.of("--receive-bytes: " + wrong.getMessage());
        }
        return Optional.empty();
    }
}
