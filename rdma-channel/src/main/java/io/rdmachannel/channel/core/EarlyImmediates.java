// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.util.ArrayDeque;

/**
 * Writes with immediate that had arrived when the link was lost, behind messages that come again: for the sender they
 * may have ended, so they are kept, and told in their place. The event loop's thread only.
 */
final class EarlyImmediates {
    private final ArrayDeque<Early> waiting = new ArrayDeque<>();

    /** One of them, and the last message before it. */
    private record Early(long messagesBefore, int value, long length) {}

    int count() {
        return waiting.size();
    }

    void add(long messagesBefore, int value, long length) {
        waiting.add(new Early(messagesBefore, value, length));
    }

    /** Whether the next one can be told. */
    boolean isDue(long messagesHandled) {
        return !waiting.isEmpty() && waiting.peek().messagesBefore <= messagesHandled;
    }

    void tellNext(Incoming.Receiver receiver) {
        Early next = waiting.remove();
        receiver.immediate(next.value, next.length);
    }
}
