// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.verbs.WorkCompletions;
import java.util.Arrays;

/**
 * Completions that were taken from the queue before their link could be told: it has not begun yet, or another link was
 * being closed. Kept in their order. Grows as it needs to; what is in it is bounded by the completion queue's capacity.
 * For one thread.
 */
final class ParkedCompletions {
    private static final int FIRST_LENGTH = 64;
    private static final int NONE = -1;

    private int[] queuePairs = new int[FIRST_LENGTH];
    private long[] ids = new long[FIRST_LENGTH];
    private int[] statuses = new int[FIRST_LENGTH];
    private long[] byteLengths = new long[FIRST_LENGTH];
    private boolean[] withImmediate = new boolean[FIRST_LENGTH];
    private int[] immediates = new int[FIRST_LENGTH];
    private int count;

    int count() {
        return count;
    }

    /** Copies one out of a poll's result. */
    void park(WorkCompletions completions, int index) {
        if (count == ids.length) {
            grow();
        }
        int status = completions.rawStatus(index);
        queuePairs[count] = completions.queuePairNumber(index);
        ids[count] = completions.workRequestId(index);
        statuses[count] = status;
        byteLengths[count] = status == 0 ? completions.byteLength(index) : 0;
        withImmediate[count] = status == 0 && completions.hasImmediate(index);
        immediates[count] = withImmediate[count] ? completions.immediate(index) : 0;
        count++;
    }

    /** The queue pair of an entry; negative when it has been taken out. */
    int queuePair(int index) {
        return queuePairs[index];
    }

    long id(int index) {
        return ids[index];
    }

    /** Takes an entry out and gives it to its link. */
    void give(int index, RdmaLink link) {
        drop(index);
        link.completed(ids[index], statuses[index], byteLengths[index], withImmediate[index], immediates[index]);
    }

    /** Takes an entry out. */
    void drop(int index) {
        queuePairs[index] = NONE;
    }

    /** Closes the gaps. */
    void compact() {
        int kept = 0;
        for (int index = 0; index < count; index++) {
            if (queuePairs[index] != NONE) {
                queuePairs[kept] = queuePairs[index];
                ids[kept] = ids[index];
                statuses[kept] = statuses[index];
                byteLengths[kept] = byteLengths[index];
                withImmediate[kept] = withImmediate[index];
                immediates[kept] = immediates[index];
                kept++;
            }
        }
        count = kept;
    }

    private void grow() {
        int length = 2 * ids.length;
        queuePairs = Arrays.copyOf(queuePairs, length);
        ids = Arrays.copyOf(ids, length);
        statuses = Arrays.copyOf(statuses, length);
        byteLengths = Arrays.copyOf(byteLengths, length);
        withImmediate = Arrays.copyOf(withImmediate, length);
        immediates = Arrays.copyOf(immediates, length);
    }
}
