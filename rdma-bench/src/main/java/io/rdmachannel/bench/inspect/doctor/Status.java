// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

/** How a check ended; the later, the more it counts in the sum. */
public enum Status {
    /** There is nothing to look at here, such as GIDs of RoCE on InfiniBand. */
    NOT_APPLICABLE,
    /** As it should be. */
    OK,
    /** It could not be found out; the finding says why, and how to find out otherwise. */
    UNKNOWN,
    /** RDMA works, but slower, less safely, or not in every case. */
    WARNING,
    /** RDMA does not work. */
    PROBLEM;

    /**
     * Gives the word for people.
     *
     * @return such as {@code OK} or {@code n/a}
     */
    public String text() {
        return this == NOT_APPLICABLE ? "n/a" : name();
    }
}
