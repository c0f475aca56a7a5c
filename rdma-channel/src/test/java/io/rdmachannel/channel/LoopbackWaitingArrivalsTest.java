// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackFaults.Work;
import io.rdmachannel.testing.LoopbackTest;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What arrives behind a long message whose fetching takes long: as much as there is credit for, all told, in order. */
@LoopbackTest
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class LoopbackWaitingArrivalsTest extends ContractPair {
    private static final int LONG = 100_000;
    private static final int MANY = 100;
    private static final int RIGHT = 1;

    @Override
    ChannelPair.Setup setup() {
        ChannelConfigBuilder right = RdmaChannelCases.config().receiveDepth(8);
        return new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(), CompletionMode.BUSY_POLL, RdmaChannelCases.config(), right);
    }

    @Test
    void shouldTellEveryWriteWithImmediateThatWaited() throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofShared().allocate(64), ALL);
        Lease source = lease(64);
        beginFetchThatTakesLong();
        List<Integer> waiting = asManyAsPossible(number -> pair.left
                .writeWithImmediate(source, 0, region, 0, 8, number, number)
                .isAccepted());
        assertThat(atRight.immediates).isEmpty();
        LoopbackFaults.releaseCompletions();

        pair.pollUntil("all are told", () -> atRight.immediates.size() == waiting.size());
        assertThat(atRight.messages).hasSize(1);
        assertThat(atRight.immediates).containsExactlyElementsOf(waiting);
        source.release();
    }

    @Test
    void shouldTellEveryLongMessageThatWaited() throws Exception {
        pair = open();
        beginFetchThatTakesLong();
        var memory = Arena.ofAuto().allocate(2 * LONG);
        List<Integer> waiting = asManyAsPossible(number -> {
            boolean accepted = pair.left.send(memory, 0, LONG + number).isAccepted();
            // What goes the other way tells of the receives that were posted again.
            pair.right.send(memory, 0, 1);
            return accepted;
        });
        assertThat(atRight.messages).isEmpty();
        LoopbackFaults.releaseCompletions();

        pair.pollUntil("all are told", () -> atRight.messages.size() == waiting.size() + 1);
        assertThat(atRight.messages.stream().skip(1).map(message -> message.length - LONG))
                .containsExactlyElementsOf(waiting);
    }

    private void beginFetchThatTakesLong() {
        LoopbackFaults.holdCompletions(LoopbackFaults.queuePairs()[RIGHT], Work.SENDS);
        assertThat(pair.left.send(Arena.ofAuto().allocate(LONG), 0, LONG)).isEqualTo(Submission.ACCEPTED);
        pollForAWhile();
    }

    private List<Integer> asManyAsPossible(IntPredicate start) {
        List<Integer> accepted = new ArrayList<>();
        IntStream.range(0, MANY).forEach(number -> {
            if (start.test(accepted.size())) {
                accepted.add(accepted.size());
            }
            pollForAWhile();
        });
        assertThat(accepted).hasSizeGreaterThanOrEqualTo(3);
        return accepted;
    }

    private void pollForAWhile() {
        for (int i = 0; i < 10; i++) {
            pair.poll();
        }
    }
}
