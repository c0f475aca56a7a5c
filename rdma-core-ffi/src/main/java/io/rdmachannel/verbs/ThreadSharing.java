// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

/** Which threads may use a queue's data path. Objects outside the data path are shared always. */
public enum ThreadSharing {
    /**
     * Any thread may post, poll and close. Each call counts itself in and out with two atomic additions, so that a
     * close waits for it.
     */
    SHARED,

    /**
     * Only the owner may post, poll and close: the thread that made the queue, until it hands it over. Costs two plain
     * reads a call. Other threads get a {@link WrongThreadException}; when the owner has ended, any thread may close
     * it.
     */
    CONFINED;

    /** The owner that a new object has, or null. */
    Thread owner() {
        return this == CONFINED ? Thread.currentThread() : null;
    }
}
