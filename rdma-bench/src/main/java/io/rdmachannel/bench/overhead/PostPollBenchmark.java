// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.overhead;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.AddressVector;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.CompletionQueueConfig;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GlobalRoute;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.PathMtu;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairCapabilities;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairConfig;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.QueuePairType;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.ThreadSharing;
import io.rdmachannel.verbs.WorkCompletions;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost, beside the same in C, to post a send of 64 bytes, poll for its completion and for the receive's,
 * and post the receive again: two posts and two polls? Over the loopback verbs library, which delivers at once.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class PostPollBenchmark {
    private static final int ROUNDS = 1000;
    private static final int DEPTH = 128;
    private static final int BYTES = 64;

    private MethodHandle loop;
    private DeviceContext device;
    private MemoryRegion region;
    private MemorySegment memory;
    private CompletionQueue leftQueue;
    private CompletionQueue rightQueue;
    private QueuePair left;
    private QueuePair right;
    private final WorkCompletions done = WorkCompletionsHolder.make();
    private SendWorkRequests sends;
    private ReceiveWorkRequests receives;

    /** WorkCompletions need the library, which is loaded first. */
    private static final class WorkCompletionsHolder {
        private static final LoopLibrary LIBRARY = LoopLibrary.use();

        static WorkCompletions make() {
            return WorkCompletions.ofCapacity(16);
        }
    }

    /** Connects two queue pairs. */
    @Setup
    public void connect() {
        loop = WorkCompletionsHolder.LIBRARY.handle("loop_post_poll", 1);
        device = Device.list().getFirst().open();
        ProtectionDomain domain = device.allocateProtectionDomain();
        memory = Arena.ofShared().allocate(2L * DEPTH * BYTES, 4096);
        region = domain.registerMemory(memory, Set.of(AccessFlag.LOCAL_WRITE));
        leftQueue = queue();
        rightQueue = queue();
        left = queuePair(domain, leftQueue);
        right = queuePair(domain, rightQueue);
        GidEntry gid = device.gidTable(1).getFirst();
        receives = ReceiveWorkRequests.allocate(DEPTH, 1);
        sends = SendWorkRequests.allocate(DEPTH, 1, BYTES);
        toReady(left, right, gid);
        toReady(right, left, gid);
        for (int slot = 0; slot < DEPTH; slot++) {
            receives.begin(slot, slot).add(slot, region, (long) (DEPTH + slot) * BYTES, BYTES);
        }
        if (right.postReceive(receives, 0, DEPTH) != 0) {
            throw new IllegalStateException("receives were refused");
        }
    }

    /** Closes everything. */
    @TearDown
    public void close() {
        device.close();
    }

    /** In Java. */
    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public void java() {
        for (int i = 0; i < ROUNDS; i++) {
            int slot = i % DEPTH;
            sends.begin(slot, WorkRequestOpcode.SEND, slot, true).inline(slot, memory, (long) slot * BYTES, BYTES);
            if (left.postSend(sends, slot) != 0 || leftQueue.poll(done) != 1 || done.rawStatus(0) != 0) {
                throw new IllegalStateException("a send failed");
            }
            if (rightQueue.poll(done) != 1 || done.rawStatus(0) != 0) {
                throw new IllegalStateException("a receive failed");
            }
            int used = (int) done.workRequestId(0);
            receives.begin(used, used).add(used, region, (long) (DEPTH + used) * BYTES, BYTES);
            if (right.postReceive(receives, used, 1) != 0) {
                throw new IllegalStateException("a receive was refused");
            }
        }
    }

    /**
     * In C.
     *
     * @throws Throwable if it fails
     */
    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public void c() throws Throwable {
        if ((long) loop.invokeExact((long) ROUNDS) != ROUNDS) {
            throw new IllegalStateException("the loop in C failed");
        }
    }

    private CompletionQueue queue() {
        return device.createCompletionQueue(
                CompletionQueueConfig.ofCapacity(4 * DEPTH).sharedAs(ThreadSharing.CONFINED));
    }

    private static QueuePair queuePair(ProtectionDomain domain, CompletionQueue queue) {
        QueuePairCapabilities capabilities = new QueuePairCapabilities(DEPTH, DEPTH, 1, 1, BYTES);
        return domain.createQueuePair(QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, queue, capabilities)
                .sharedAs(ThreadSharing.CONFINED));
    }

    private static void toReady(QueuePair pair, QueuePair peer, GidEntry gid) {
        pair.modify(QueuePairChange.to(QueuePairState.INIT)
                .port(1)
                .partitionKeyIndex(0)
                .access(Set.of(AccessFlag.REMOTE_WRITE)));
        pair.modify(QueuePairChange.to(QueuePairState.READY_TO_RECEIVE)
                .addressVector(AddressVector.toGid(1, GlobalRoute.to(gid.gid(), gid.index())))
                .pathMtu(PathMtu.MTU_1024)
                .destinationQueuePairNumber(peer.number())
                .receivePacketSequenceNumber(0)
                .maxResponderReads(1)
                .minRnrTimer(12));
        pair.modify(QueuePairChange.to(QueuePairState.READY_TO_SEND)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .sendPacketSequenceNumber(0)
                .maxOutstandingReads(1));
    }
}
