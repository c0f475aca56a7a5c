// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.WorkCompletionOpcode;
import io.rdmachannel.verbs.WorkCompletionStatus;
import io.rdmachannel.verbs.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A completion, copied out for comfort.
 *
 * @param id the number that the work request carried
 * @param status how it ended
 * @param opcode what it was; null when it failed
 * @param byteLength how much arrived; -1 when it failed
 * @param immediate the immediate data; empty when there is none or it failed
 * @param queuePairNumber on which queue pair
 */
public record Completion(
        long id,
        WorkCompletionStatus status,
        WorkCompletionOpcode opcode,
        long byteLength,
        Optional<Integer> immediate,
        int queuePairNumber) {
    private static final int SPINS = 200;

    /** Waits for so many completions, and fails when they do not come in the usual time. */
    public static List<Completion> await(CompletionQueue queue, int count) {
        return await(queue, count, Deadline.usual());
    }

    /** Waits for so many completions, and fails when they do not come in time. */
    public static List<Completion> await(CompletionQueue queue, int count, Deadline deadline) {
        List<Completion> all = new ArrayList<>(count);
        // One at a time: what comes after these belongs to the next call.
        WorkCompletions polled = WorkCompletions.ofCapacity(1);
        for (int idle = 0; all.size() < count; idle++) {
            if (take(queue, polled, all) > 0) {
                idle = 0;
            } else if (deadline.isOver()) {
                throw new AssertionError("of " + count + " completions only these came in time: " + all);
            } else if (idle > SPINS) {
                deadline.pause();
            } else {
                LockSupport.parkNanos(1);
            }
        }
        return all;
    }

    /** Takes what is there now. */
    public static List<Completion> drain(CompletionQueue queue) {
        List<Completion> all = new ArrayList<>();
        WorkCompletions polled = WorkCompletions.ofCapacity(16);
        while (take(queue, polled, all) > 0) {
            continue;
        }
        return all;
    }

    private static int take(CompletionQueue queue, WorkCompletions polled, List<Completion> all) {
        int count = queue.poll(polled);
        for (int index = 0; index < count; index++) {
            all.add(copy(polled, index));
        }
        return count;
    }

    private static Completion copy(WorkCompletions polled, int index) {
        boolean succeeded = polled.isSuccess(index);
        return new Completion(
                polled.workRequestId(index),
                polled.status(index),
                succeeded ? polled.opcode(index) : null,
                succeeded ? polled.byteLength(index) : -1,
                succeeded && polled.hasImmediate(index) ? Optional.of(polled.immediate(index)) : Optional.empty(),
                polled.queuePairNumber(index));
    }
}
