// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackTest;
import org.junit.jupiter.api.Test;

/** Links, as a real driver is tested in the lab, on the stand-in for the verbs library. */
@LoopbackTest
class LoopbackLinkTest extends RdmaLinkIT {
    /** Nothing is posted that would come back: the event alone tells. */
    @Test
    void shouldFailWhenTheDeviceTellsThatAnIdleQueuePairIsBroken() {
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG);
        begin(left, right);
        LoopbackFaults.breakQueuePair(((RdmaLink) left.link).number());
        await("the failure", () -> left.events.failure != null);
        assertThat(left.events.failure.reason()).isEqualTo(Reason.TRANSPORT);
        assertThat(left.events.failure).hasMessageContaining("QUEUE_PAIR_FATAL");
        assertThat(right.events.failure).isNull();
    }

    @Test
    void shouldFailEveryLinkWhenTheirDeviceTellsThatItIsBroken() {
        RdmaSource source = source();
        LinkSide first = side(source, CONFIG);
        LinkSide second = side(source, CONFIG);
        begin(first, second);
        LoopbackFaults.breakDevice(0);
        await("the failures", () -> first.events.failure != null && second.events.failure != null);
        assertThat(first.events.failure).hasMessageContaining("DEVICE_FATAL");
        assertThat(second.events.failure).hasMessageContaining("DEVICE_FATAL");
    }

    /** Its queue pair was made before, and nothing comes of it that would be flushed. */
    @Test
    void shouldFailALinkThatBeginsOnADeviceThatHasBroken() {
        RdmaSource source = source();
        LinkSide first = side(source, CONFIG);
        LinkSide second = side(source, CONFIG);
        LinkSide.connect(first, second);
        first.begin();
        LoopbackFaults.breakDevice(0);
        await("the failure", () -> first.events.failure != null);
        second.begin();
        await("the failure", () -> second.events.failure != null);
        assertThat(second.events.failure).hasMessageContaining("DEVICE_FATAL");
    }
}
