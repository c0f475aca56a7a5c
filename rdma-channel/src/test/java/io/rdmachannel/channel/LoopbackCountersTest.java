// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackFaults.Work;
import io.rdmachannel.testing.LoopbackTest;
import io.rdmachannel.verbs.WorkCompletionStatus;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What is counted over RDMA, on the stand-in for the verbs library. */
@LoopbackTest
class LoopbackCountersTest extends CounterCases {
    @Override
    ChannelConfigBuilder over(ChannelConfigBuilder config) {
        return config.transport(Transport.RDMA).ackTimeout(10);
    }

    @Test
    void shouldCountTheFloodBehindTheFirstError() throws Exception {
        pair = open();
        LoopbackFaults.failWork(
                LoopbackFaults.queuePairs()[0], Work.SENDS, 2, WorkCompletionStatus.RETRY_EXCEEDED_ERROR, 0);
        sendSome(pair.left, Arena.ofAuto().allocate(20_000), 1, 20);
        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);

        long flushed = pair.left.counters().value(ChannelCounter.FLUSHED_COMPLETIONS);
        int receives = pair.left.config().receiveDepth();
        assertThat(flushed).isBetween(receives / 2L, receives + 40L);
        assertThat(pair.leftPoller.counters().value(ChannelCounter.FLUSHED_COMPLETIONS))
                .isEqualTo(flushed);
        assertThat(pair.leftPoller.counters().value(ChannelCounter.FAILED_CHANNELS))
                .isEqualTo(1);
    }

    @Test
    void shouldCountWhatEndsOnlyWhenTheDeviceHasLetGo() throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(64, 64), ALL);
        Lease memory = lease(64);
        LoopbackFaults.failWork(
                LoopbackFaults.queuePairs()[0], Work.SENDS, 0, WorkCompletionStatus.RETRY_EXCEEDED_ERROR, 0);
        LoopbackFaults.failNextCall("ibv_destroy_qp", LoopbackFaults.EBUSY);
        assertThat(pair.left.fetchAndAdd(region, 0, 1, memory, 1)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.fetchAndAdd(region, 8, 1, memory, 2)).isEqualTo(Submission.ACCEPTED);
        pair.pollLeftUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
        assertThat(atLeft.outcomes).isEmpty();
        assertThat(pair.leftPoller.counters().value(ChannelCounter.UNKNOWN_OPERATIONS))
                .isZero();
        pair.left.close();
        memory.release();

        assertThat(pair.left.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(atLeft.outcomes).containsEntry(1L, Outcome.UNKNOWN).containsEntry(2L, Outcome.UNKNOWN);
        assertThat(pair.left.counters().value(ChannelCounter.UNKNOWN_OPERATIONS))
                .isEqualTo(2);
        assertThat(pair.leftPoller.counters().value(ChannelCounter.UNKNOWN_OPERATIONS))
                .isEqualTo(2);
    }
}
