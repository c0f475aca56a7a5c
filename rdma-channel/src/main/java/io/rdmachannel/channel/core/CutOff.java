// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection at a deadline, unless it is called off before: for what reads or writes several times in one
 * call, so that no time limit of a single read bounds it.
 */
final class CutOff {
    private static final Logger LOGGER = LoggerFactory.getLogger(CutOff.class);

    private final CompletableFuture<Void> timer;

    private CutOff(CompletableFuture<Void> timer) {
        this.timer = timer;
    }

    static CutOff at(Deadline deadline, SocketChannel channel) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        timer.thenRun(() -> cut(channel));
        timer.completeOnTimeout(null, deadline.left().toNanos(), TimeUnit.NANOSECONDS);
        return new CutOff(timer);
    }

    /** The connection stays; without effect after the deadline. */
    void callOff() {
        timer.cancel(false);
    }

    private static void cut(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException unlikely) {
            LOGGER.debug("closing a connection at its deadline", unlikely);
        }
    }
}
