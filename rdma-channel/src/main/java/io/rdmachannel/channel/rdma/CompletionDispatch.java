// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.verbs.AsyncEventType;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.WorkCompletions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Takes completions from the queue and gives each to its link. A link may be closed by what it is told, in the middle
 * of a batch: {@link #drain} then takes the rest of the batch, and puts aside what belongs to others.
 *
 * <p>Belongs to the event loop's thread, except {@link #expect} and {@link #forget}.
 */
final class CompletionDispatch {
    private static final int BATCH = 32;

    private final CompletionQueue queue;
    private final Admission admission;
    /** Null when each link has receives of its own. */
    private final SharedReceiveRing shared;

    private final WorkCompletions batch = WorkCompletions.ofCapacity(BATCH);
    private final LinkTable links = new LinkTable();
    private final ParkedCompletions parked = new ParkedCompletions();
    /** The numbers of queue pairs that are being connected. */
    private final Set<Integer> expected = ConcurrentHashMap.newKeySet();

    private final Runnable whenQueueFailed;
    private int next;
    private int polled;
    private boolean unsettled;

    /**
     * Begins.
     *
     * @param whenQueueFailed called when the queue is of no use any more, maybe again and again
     */
    CompletionDispatch(CompletionQueue queue, SharedReceiveRing shared, Admission admission, Runnable whenQueueFailed) {
        this.whenQueueFailed = whenQueueFailed;
        this.queue = queue;
        this.shared = shared;
        this.admission = admission;
    }

    /** A queue pair is being connected: its completions are kept. Any thread. */
    void expect(int number) {
        expected.add(number);
    }

    /** Nothing comes of a queue pair; before it is destroyed, since its number is given again. Any thread. */
    void forget(int number) {
        expected.remove(number);
    }

    /** From now on a link is told; returns whether there is something for it already. */
    boolean add(RdmaLink link) {
        links.put(link.number(), link);
        expected.remove(link.number());
        return parked.count() > 0;
    }

    /** A link is told nothing any more; returns whether its {@link #drain} has put aside something for others. */
    boolean remove(RdmaLink link) {
        links.remove(link);
        return parked.count() > 0;
    }

    /** Some link has something to tell once the queue is empty. */
    void expectSettling() {
        unsettled = true;
    }

    /** The device has told that a queue pair is broken. */
    void failed(QueuePair pair, AsyncEventType type) {
        RdmaLink link = links.get(pair.number());
        if (link != null) {
            link.eventTold(name -> CompletionFailure.ofEvent(name, type));
        }
    }

    /** What all links share is broken. */
    void failed(Function<String, ChannelException> failure) {
        links.all().forEach(link -> link.eventTold(failure));
    }

    /** The port that all links go through is down. */
    void portDown() {
        links.all().forEach(RdmaLink::portDown);
    }

    boolean hasLinks() {
        return !links.isEmpty();
    }

    /** Takes a batch, or what an exception has left of the last one, and tells the links. */
    int poll() {
        int retired = admission.retired();
        int told = parked.count() == 0 ? 0 : tellParked();
        int count = next < polled ? polled - next : pollQueue();
        if (count < 0) {
            return told + queueFailed(count);
        }
        boolean isLast = polled < BATCH;
        while (next < polled) {
            give(next++);
        }
        if (isLast) {
            told += whenEmpty(retired);
        }
        return told + count;
    }

    /**
     * Takes a batch for a link that tells nothing any more, and puts aside what belongs to others.
     *
     * @return how many completions were the link's; negative when the queue has failed
     */
    int drain(RdmaLink link) {
        int own = takeParked(link) + takeBatch(link);
        int count = pollQueue();
        own += takeBatch(link);
        return own == 0 && count < 0 ? count : own;
    }

    private int pollQueue() {
        int count = queue.poll(batch);
        polled = Math.max(0, count);
        next = 0;
        return count;
    }

    private void give(int index) {
        RdmaLink link = links.get(batch.queuePairNumber(index));
        if (link == null) {
            parkExpected(index);
        } else {
            giveTo(link, index);
        }
    }

    private void giveTo(RdmaLink link, int index) {
        long id = batch.workRequestId(index);
        int status = batch.rawStatus(index);
        if (status != 0) {
            link.completed(id, status, batch.vendorError(index), false, 0);
        } else if (!WorkRequestId.isReceive(id)) {
            link.completed(id, 0, 0, false, 0);
        } else if (batch.hasImmediate(index)) {
            link.completed(id, 0, batch.byteLength(index), true, batch.immediate(index));
        } else {
            link.completed(id, 0, batch.byteLength(index), false, 0);
        }
    }

    /** What a destroyed queue pair has left behind is dropped. */
    private void parkExpected(int index) {
        if (expected.contains(batch.queuePairNumber(index))) {
            parked.park(batch, index);
        } else {
            recycle(batch.workRequestId(index));
        }
    }

    /** A receive that others share is theirs again. */
    private void recycle(long id) {
        if (shared != null && WorkRequestId.isReceive(id) && WorkRequestId.tag(id) == shared.tag()) {
            shared.discard(shared.take((int) WorkRequestId.number(id)));
        }
    }

    private int tellParked() {
        int told = 0;
        for (int index = 0; index < parked.count(); index++) {
            int number = parked.queuePair(index);
            RdmaLink link = number < 0 ? null : links.get(number);
            if (link != null) {
                parked.give(index, link);
                told++;
            } else if (number >= 0 && !expected.contains(number)) {
                recycle(parked.id(index));
                parked.drop(index);
            }
        }
        parked.compact();
        return told;
    }

    private int takeParked(RdmaLink link) {
        int own = 0;
        for (int index = 0; index < parked.count(); index++) {
            if (parked.queuePair(index) == link.number()) {
                parked.give(index, link);
                own++;
            }
        }
        return own;
    }

    private int takeBatch(RdmaLink link) {
        int own = 0;
        while (next < polled) {
            int index = next++;
            if (batch.queuePairNumber(index) == link.number()) {
                giveTo(link, index);
                own++;
            } else {
                parked.park(batch, index);
            }
        }
        return own;
    }

    private int whenEmpty(int retired) {
        if (retired > 0) {
            admission.settle(retired);
        }
        int told = 0;
        if (unsettled && parked.count() == 0) {
            unsettled = false;
            for (RdmaLink link : links.all()) {
                told += link.settle();
            }
        }
        return told;
    }

    /** Tells every link that the queue is of no use any more; returns how many had not known it. */
    int queueFailed(int result) {
        whenQueueFailed.run();
        int told = 0;
        for (RdmaLink link : links.all()) {
            told += link.queueFailed(result);
        }
        return told;
    }
}
