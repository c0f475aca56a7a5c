// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackFaults.Work;
import io.rdmachannel.testing.LoopbackTest;
import io.rdmachannel.testing.PairOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each fault that the stand-in can be told, and that it happens where it was meant, and only there. */
@LoopbackTest
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class LoopbackFaultsTest {
    private ConnectedPair pair;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual().withChannel());
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        LoopbackFaults.reset();
        pair.close();
    }

    @Test
    void shouldFailTheCallThatWasMeantAndNoOther() {
        LoopbackFaults.failCalls("ibv_alloc_pd", 1, 1, LoopbackFaults.ENOMEM);

        pair.context().allocateProtectionDomain().close();
        VerbsException refused = catchThrowableOfType(VerbsException.class, pair.context()::allocateProtectionDomain);
        pair.context().allocateProtectionDomain().close();

        assertThat(refused.verb()).isEqualTo("ibv_alloc_pd");
        assertThat(refused.errno()).isEqualTo(LoopbackFaults.ENOMEM);
    }

    @Test
    void shouldFailAPostWithoutTakingAnything() {
        LoopbackFaults.failNextCall("ibv_post_send", LoopbackFaults.EIO);
        left.begin(WorkRequestOpcode.SEND, 1).add(0, left.region(), 0, 8);

        assertThat(left.queuePair().postSend(left.sends(), 0)).isEqualTo(LoopbackFaults.EIO);
        assertThat(left.sends().firstRejected()).isZero();
        exchange(2);
        assertThat(Completion.drain(left.completions())).isEmpty();
    }

    @Test
    void shouldFailAPollAlsoOfAnEmptyQueue() {
        LoopbackFaults.failNextCall("ibv_poll_cq", LoopbackFaults.EIO);

        assertThat(left.completions().poll(WorkCompletions.ofCapacity(1))).isNegative();
        assertThat(left.completions().poll(WorkCompletions.ofCapacity(1))).isZero();
    }

    @Test
    void shouldLetADestructionBeRepeatedThatFailed() {
        ProtectionDomain domain = pair.context().allocateProtectionDomain();
        LoopbackFaults.failNextCall("ibv_dealloc_pd", LoopbackFaults.EBUSY);

        assertThatThrownBy(domain::close).isInstanceOf(VerbsException.class).hasMessageContaining("EBUSY");
        assertThat(LoopbackFaults.live()).containsEntry("pds", 2);
        domain.close();

        assertThat(LoopbackFaults.live()).containsEntry("pds", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ibv_no_such_function", "post_send", ""})
    void shouldRefuseAFunctionThatItDoesNotKnow(String name) {
        assertThatThrownBy(() -> LoopbackFaults.failNextCall(name, LoopbackFaults.EIO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + name + "\"");
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkCompletionStatus.class,
            names = {"RETRY_EXCEEDED_ERROR", "REMOTE_ABORTED_ERROR", "FATAL_ERROR", "GENERAL_ERROR"})
    void shouldEndASendWithTheStatusAskedFor(WorkCompletionStatus status) {
        LoopbackFaults.failWork(left.queuePair().number(), Work.SENDS, 1, status, 0xBEEF);
        exchange(1);
        right.receive(2, 0, 8);
        for (int id = 2; id < 5; id++) {
            left.begin(WorkRequestOpcode.SEND, id).add(0, left.region(), 0, 8);
            left.post();
        }

        WorkCompletions failed = WorkCompletions.ofCapacity(4);
        assertThat(left.completions().poll(failed)).isEqualTo(3);
        assertThat(failed.workRequestId(0)).isEqualTo(2);
        assertThat(failed.status(0)).isEqualTo(status);
        assertThat(failed.vendorError(0)).isEqualTo(0xBEEF);
        assertThat(failed.status(1)).isEqualTo(WorkCompletionStatus.FLUSHED);
        assertThat(failed.status(2)).isEqualTo(WorkCompletionStatus.FLUSHED);
        assertThat(Completion.drain(right.completions()))
                .as("what the peer saw of it")
                .isEmpty();
    }

    @Test
    void shouldEndAReceiveWithTheStatusAskedForAndBothEndsWithIt() {
        LoopbackFaults.failWork(
                right.queuePair().number(), Work.RECEIVES, 0, WorkCompletionStatus.LOCAL_ACCESS_ERROR, 3);
        right.receive(1, 0, 8);
        right.receive(2, 0, 8);
        left.begin(WorkRequestOpcode.SEND, 3).add(0, left.region(), 0, 8);
        left.post();

        assertThat(right.next(2))
                .extracting(Completion::status)
                .containsExactly(WorkCompletionStatus.LOCAL_ACCESS_ERROR, WorkCompletionStatus.FLUSHED);
        assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.REMOTE_OPERATION_ERROR);
        assertThat(right.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void shouldKeepCompletionsBackUntilTheyAreReleased() {
        right.completions().requestNotification(false);
        LoopbackFaults.holdCompletions(right.queuePair().number(), Work.RECEIVES);
        for (int id = 0; id < 3; id++) {
            right.receive(id, id * 8L, 8);
            left.begin(WorkRequestOpcode.SEND, id).add(0, left.region(), 0, 8);
            left.post();
        }

        assertThat(left.next(3)).hasSize(3);
        assertThat(Completion.drain(right.completions())).isEmpty();
        assertThat(right.channel().await(0, TimeUnit.NANOSECONDS)).isNull();
        assertThat(LoopbackFaults.releaseCompletions()).isEqualTo(3);
        assertThat(right.channel().await(20, TimeUnit.SECONDS)).isSameAs(right.completions());
        assertThat(Completion.drain(right.completions()))
                .extracting(Completion::id)
                .containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldLoseTheCompletionsAskedFor() {
        LoopbackFaults.dropCompletions(left.queuePair().number(), Work.SENDS, 1, 2);
        for (int id = 0; id < 5; id++) {
            right.receive(id, 0, 8);
            left.begin(WorkRequestOpcode.SEND, id).add(0, left.region(), 0, 8);
            left.post();
        }

        assertThat(Completion.drain(left.completions()))
                .extracting(Completion::id)
                .containsExactly(0L, 3L, 4L);
        assertThat(Completion.drain(right.completions())).hasSize(5);
    }

    @Test
    void shouldBreakTheQueueAndWhatCompletesThereWhenOverrun() {
        LoopbackFaults.overrun(left.queuePair().number());

        AsyncEvent ofQueue = pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS);
        AsyncEvent ofPair = pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS);
        assertThat(ofQueue.type()).isEqualTo(AsyncEventType.COMPLETION_QUEUE_ERROR);
        assertThat(ofQueue.element())
                .hasValueSatisfying(queue -> assertThat(queue).isSameAs(left.completions()));
        assertThat(ofPair.type()).isEqualTo(AsyncEventType.QUEUE_PAIR_FATAL);
        assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(right.queuePair().query().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    void shouldLetNothingThroughAPortThatIsDown() {
        LoopbackFaults.setPort(0, false);
        AsyncEvent down = pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS);
        right.receive(1, 0, 8);
        left.begin(WorkRequestOpcode.SEND, 2).add(0, left.region(), 0, 8);
        left.post();

        assertThat(down.type()).isEqualTo(AsyncEventType.PORT_ERROR);
        assertThat(down.port()).isEqualTo(1);
        assertThat(pair.context().port(1).state()).isEqualTo(PortState.DOWN);
        assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.RETRY_EXCEEDED_ERROR);
        LoopbackFaults.setPort(0, true);
        assertThat(pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS).type()).isEqualTo(AsyncEventType.PORT_ACTIVE);
        assertThat(pair.context().port(1).state()).isEqualTo(PortState.ACTIVE);
    }

    @Test
    void shouldBreakAQueuePair() {
        right.receive(1, 0, 8);
        LoopbackFaults.breakQueuePair(right.queuePair().number());

        AsyncEvent event = pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS);
        assertThat(event.type()).isEqualTo(AsyncEventType.QUEUE_PAIR_FATAL);
        assertThat(event.element())
                .hasValueSatisfying(broken -> assertThat(broken).isSameAs(right.queuePair()));
        assertThat(right.next().status()).isEqualTo(WorkCompletionStatus.FLUSHED);
    }

    @Test
    void shouldBreakADeviceUntilItIsReset() {
        LoopbackFaults.breakDevice(0);

        assertThat(pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS).type()).isEqualTo(AsyncEventType.DEVICE_FATAL);
        assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
        assertThatThrownBy(pair.context()::allocateProtectionDomain).hasMessageContaining("EIO");
        LoopbackFaults.reset();
        pair.context().allocateProtectionDomain().close();
    }

    /** All that was made in the context is closed after the test, which the kernel answers with EIO. */
    @Test
    void shouldRemoveADeviceUnderThoseWhoHaveItOpenAndAddAnotherOne() {
        assertThat(pair.context().isPresent()).isTrue();
        String name = pair.context().device().name();
        LoopbackFaults.removeDevice(0);

        assertThat(pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS).type()).isEqualTo(AsyncEventType.DEVICE_FATAL);
        assertThat(pair.context().isPresent()).isFalse();
        assertThat(Device.find(name)).isEmpty();
        assertThatThrownBy(pair.context()::allocateProtectionDomain).hasMessageContaining("EIO");
        assertThatThrownBy(() -> pair.context().port(1)).hasMessageContaining("EIO");

        LoopbackFaults.addDevice(0);
        assertThat(pair.context().isPresent()).isFalse();
        try (DeviceContext another = Device.find(name).orElseThrow().open()) {
            assertThat(another.isPresent()).isTrue();
            another.allocateProtectionDomain();
        }
    }

    @Test
    void shouldRefuseToBelieveInDestructionByTheKernelWhileTheDeviceIsThere() {
        ProtectionDomain domain = pair.context().allocateProtectionDomain();
        LoopbackFaults.failNextCall("ibv_dealloc_pd", LoopbackFaults.EIO);
        assertThatThrownBy(domain::close).hasMessageContaining("EIO");
        domain.close();
    }

    @Test
    void shouldTakeEverythingBack() {
        LoopbackFaults.failNextCall("ibv_post_send", LoopbackFaults.EIO);
        LoopbackFaults.failWork(LoopbackFaults.ANY, Work.ALL, 0, WorkCompletionStatus.FATAL_ERROR, 0);
        LoopbackFaults.dropCompletions(LoopbackFaults.ANY, Work.ALL, 0, 100);
        LoopbackFaults.holdCompletions(LoopbackFaults.ANY, Work.ALL);
        LoopbackFaults.reset();

        exchange(1);
    }

    @Test
    void shouldCountCallsAndObjects() {
        long before = LoopbackFaults.calls("ibv_post_send");
        exchange(1);

        assertThat(LoopbackFaults.calls("ibv_post_send") - before).isEqualTo(1);
        assertThat(LoopbackFaults.live())
                .containsEntry("contexts", 1)
                .containsEntry("qps", 2)
                .containsEntry("mrs", 2)
                .containsEntry("cqs", 2)
                .containsEntry("comp_channels", 2)
                .containsEntry("srqs", 0)
                .containsEntry("device_lists", 0);
        assertThat(LoopbackFaults.queuePairs())
                .containsExactly(left.queuePair().number(), right.queuePair().number());
    }

    /** One message, which must succeed at both ends. */
    private void exchange(long id) {
        right.receive(id, 0, 8);
        left.begin(WorkRequestOpcode.SEND, id).add(0, left.region(), 0, 8);
        left.post();
        assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(right.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
    }
}
