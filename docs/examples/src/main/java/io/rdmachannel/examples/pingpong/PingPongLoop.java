// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.WorkCompletionStatus;
import io.rdmachannel.verbs.WorkCompletions;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.util.concurrent.TimeUnit;

/**
 * The exchange: the client sends, the server sends back what it got, and so on. A side sends when the message of the
 * other side has come and its own last one is done. Without content checks the loop allocates nothing.
 */
final class PingPongLoop {
    /** The number of receives; completions of failed work tell no more than this about what they were. */
    static final long RECEIVE = 1;

    private static final long SEND = 2;
    private static final int COMPLETIONS_AT_A_TIME = 2;

    /** How long the last message may wait for its acknowledgement when all else is done. */
    private static final long LAST_ACKNOWLEDGEMENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Endpoint endpoint;
    private final Options options;
    private final Receives receives;
    private final SendWorkRequests sends = SendWorkRequests.allocate(MessageBuffers.SLOTS, 1, 0);
    private final WorkCompletions completions = WorkCompletions.ofCapacity(COMPLETIONS_AT_A_TIME);
    private final CompletionWait wait;
    private final Latencies latencies;

    private int received;
    private int posted;
    private int sent;
    private boolean receiveDue = true;
    private boolean lastUnacknowledged;
    private long postedAtNanos;

    PingPongLoop(Endpoint endpoint, Options options) {
        this.endpoint = endpoint;
        this.options = options;
        this.latencies = new Latencies(options.iterations() - options.warmUp());
        this.receives = new Receives(endpoint, options.receiveDepth());
        this.wait = options.events()
                ? new EventSleep(endpoint.channel(), endpoint.queue(), completions)
                : new BusyPoll(endpoint.queue(), completions);
        prepareSends();
    }

    /** Runs all rounds; the queue pair must be ready to send. */
    Report run() {
        long start = System.nanoTime();
        if (options.isClient()) {
            send();
        }
        while (received < options.iterations() || (sent < options.iterations() && !lastUnacknowledged)) {
            takeCompletions();
        }
        return new Report(options, System.nanoTime() - start, latencies, lastUnacknowledged);
    }

    private void takeCompletions() {
        boolean last = received == options.iterations();
        long limit = options.limit().toNanos();
        int count = wait.await(last ? Math.min(limit, LAST_ACKNOWLEDGEMENT_NANOS) : limit);
        if (count == 0 && last) {
            lastUnacknowledged = true;
        } else if (count == 0) {
            throw new PingPongException(
                    "nothing came from the other side for " + options.limit().toSeconds() + " s" + progress());
        }
        for (int i = 0; i < count; i++) {
            take(i);
        }
    }

    private void take(int index) {
        if (!completions.isSuccess(index)) {
            takeFailure(index);
        } else if (completions.workRequestId(index) == RECEIVE) {
            takeMessage(index);
        } else {
            sent++;
        }
        if (!receiveDue && sent == posted && posted < options.iterations()) {
            send();
        }
    }

    private void takeMessage(int index) {
        long now = System.nanoTime();
        if (postedAtNanos != 0 && received >= options.warmUp()) {
            latencies.record(now - postedAtNanos);
        }
        if (completions.byteLength(index) != options.size()) {
            throw new PingPongException("the other side sent " + completions.byteLength(index) + " bytes and not "
                    + options.size() + "; give both the same size (-s)");
        }
        receives.taken();
        received++;
        receiveDue = false;
        // A server answers first, and checks while the answer is on its way.
        if (options.check() && options.isClient()) {
            endpoint.buffers().requireEcho(received - 1);
        }
    }

    private void takeFailure(int index) {
        boolean send = completions.workRequestId(index) == SEND;
        WorkCompletionStatus status = completions.status(index);
        if (send && received == options.iterations() && status == WorkCompletionStatus.RETRY_EXCEEDED_ERROR) {
            lastUnacknowledged = true;
            return;
        }
        throw new PingPongException((send ? "sending" : "receiving") + " failed with " + status + " ("
                + completions.rawStatus(index) + ")" + hint(status) + progress());
    }

    private static String hint(WorkCompletionStatus status) {
        return switch (status) {
            case RETRY_EXCEEDED_ERROR -> ": the other side does not answer any more";
            case LOCAL_LENGTH_ERROR,
                    REMOTE_INVALID_REQUEST_ERROR,
                    REMOTE_OPERATION_ERROR,
                    LOCAL_QUEUE_PAIR_OPERATION_ERROR ->
                ": give both sides the same size (-s) and MTU (-m); it may also be the link";
            default -> "";
        };
    }

    private String progress() {
        return "; " + received + " of " + options.iterations() + " messages had come, and " + sent + " of " + posted
                + " sent were acknowledged";
    }

    /** A client sends its own message, a server what it received. */
    private void prepareSends() {
        MessageBuffers buffers = endpoint.buffers();
        for (int slot = 0; slot < MessageBuffers.SLOTS; slot++) {
            sends.begin(slot, WorkRequestOpcode.SEND, SEND, true)
                    .add(slot, endpoint.region(), buffers.offset(slot), buffers.size());
        }
    }

    private void send() {
        int slot = options.isClient() ? MessageBuffers.OUTGOING : MessageBuffers.incoming(posted);
        if (options.check()) {
            prepareContent();
        }
        receiveDue = received < options.iterations();
        postedAtNanos = System.nanoTime();
        int result = endpoint.pair().postSend(sends, slot);
        if (result != PostResult.POSTED) {
            throw new PingPongException("a message could not be sent: " + PostResult.describe(result));
        }
        posted++;
        if (options.check() && !options.isClient()) {
            endpoint.buffers().requirePattern(posted - 1);
        }
    }

    private void prepareContent() {
        // The message after this one comes in there; what was there has been checked, and sent back.
        endpoint.buffers().poison(options.isClient() ? posted : posted + 1L);
        if (options.isClient()) {
            endpoint.buffers().fillOutgoing(posted);
        }
    }
}
