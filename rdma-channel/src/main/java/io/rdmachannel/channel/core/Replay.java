// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.core.OperationQueue.Kind;
import io.rdmachannel.channel.protocol.ProtocolException;

/**
 * Posts what was not delivered once more, on another link: messages and operations in the order in which they were
 * accepted. The event loop's thread only.
 */
final class Replay {
    private final ChannelCore channel;
    private long nextMessage;
    private long nextOperation;

    Replay(ChannelCore channel) {
        this.channel = channel;
    }

    /**
     * Ends what is known to have happened, and what is never done twice.
     *
     * @param peer what the peer has handled
     * @throws ProtocolException if it cannot have handled so much
     */
    void settle(Delivered peer) {
        OperationQueue operations = channel.oneSided().operations();
        if (peer.immediates() > operations.immediatesAdded()) {
            throw new ProtocolException("the peer says that " + peer.immediates() + " writes with immediate were told, "
                    + operations.immediatesAdded() + " were made");
        }
        long done = lastDone(operations, peer);
        for (long number = operations.first(); number <= operations.last(); number++) {
            Kind kind = operations.kind(number);
            if (kind == Kind.ATOMIC) {
                operations.settle(number, Outcome.UNKNOWN);
            } else if (kind != Kind.READ && number <= done) {
                operations.settle(number, Outcome.SUCCESS);
            }
        }
        channel.oneSided().ended(0);
    }

    /** Begins. */
    void begin() {
        nextMessage = channel.outgoing().acknowledged() + 1;
        nextOperation = channel.oneSided().operations().first();
    }

    /** Posts what there is room for; says whether everything is posted. */
    boolean proceed() {
        OperationQueue operations = channel.oneSided().operations();
        long lastMessage = channel.outgoing().lastSequence();
        boolean possible = true;
        while (possible && (nextMessage <= lastMessage || nextOperation <= operations.last())) {
            possible = isOperationNext(operations, lastMessage) ? operation(operations) : message();
        }
        channel.oneSided().ended(0);
        return possible;
    }

    private boolean isOperationNext(OperationQueue operations, long lastMessage) {
        return nextOperation <= operations.last()
                && (nextMessage > lastMessage || operations.messagesBefore(nextOperation) < nextMessage);
    }

    private boolean operation(OperationQueue operations) {
        if (!operations.isSettled(nextOperation)) {
            if (operations.region(nextOperation).isRevoked()) {
                operations.settle(nextOperation, Outcome.CANCELLED);
            } else if (!channel.oneSided().postAgain(nextOperation)) {
                return false;
            } else {
                channel.counters().count(ChannelCounter.REPEATED_OPERATIONS);
            }
        }
        nextOperation++;
        return true;
    }

    private boolean message() {
        if (!channel.outgoing().postAgain(nextMessage)) {
            return false;
        }
        channel.counters().count(ChannelCounter.RESENT_MESSAGES);
        nextMessage++;
        return true;
    }

    /** The last operation of which something later is known to have arrived, or itself. */
    private long lastDone(OperationQueue operations, Delivered peer) {
        long handled = channel.outgoing().acknowledged();
        long immediate = operations.immediatesAdded();
        for (long number = operations.last(); number >= operations.first(); number--) {
            boolean isImmediate = operations.kind(number) == Kind.WRITE_WITH_IMMEDIATE;
            if (operations.messagesBefore(number) < handled || isImmediate && immediate <= peer.immediates()) {
                return number;
            }
            immediate -= isImmediate ? 1 : 0;
        }
        return 0;
    }
}
