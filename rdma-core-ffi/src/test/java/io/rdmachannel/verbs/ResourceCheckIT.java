// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.RdmaTest;
import io.rdmachannel.testing.ResourceSnapshot;
import org.junit.jupiter.api.Test;

/** The check that every class here is under must see what is left open. */
@RdmaTest
class ResourceCheckIT {
    @Test
    void shouldSeeAContextThatIsLeftOpen() {
        assertSeen(RdmaDevice.find().open());
    }

    @Test
    void shouldSeeQueuesAndRegionsThatAreLeftOpen() {
        assertSeen(ConnectedPair.unconnected(PairOptions.usual().withSharedReceives()));
    }

    @Test
    void shouldSeeOneObjectOfAKindThatIsLeftOpen() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            assertSeen(pair.context().allocateProtectionDomain());
            assertSeen(pair.context().createCompletionChannel());
            assertSeen(pair.context().createCompletionQueue(CompletionQueueConfig.ofCapacity(4)));
            assertSeen(pair.domain().createSharedReceiveQueue(SharedReceiveQueueConfig.of(4, 1)));
            assertSeen(pair.domain()
                    .registerMemory(
                            pair.left().region().memory(), pair.left().region().access()));
        }
    }

    /** Compares with what is there after the close: then nothing else can have made the difference. */
    private static void assertSeen(AutoCloseable leftOpen) {
        ResourceSnapshot withIt = ResourceSnapshot.take();
        try {
            leftOpen.close();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
        ResourceSnapshot[] without = new ResourceSnapshot[1];
        Deadline.usual().await("a difference", () -> {
            without[0] = ResourceSnapshot.take();
            return !withIt.isBackTo(without[0]);
        });
        assertThat(without[0].isBackTo(without[0])).isTrue();
    }
}
