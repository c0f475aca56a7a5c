// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

/**
 * What a command left.
 *
 * @param status its exit status; {@link #NOT_RUN} when it could not be started or did not end in time
 * @param output what it wrote to either stream, or why it did not run
 */
public record CommandResult(int status, String output) {
    /** The status of a command that did not run to its end. */
    public static final int NOT_RUN = -1;

    /**
     * Says whether the command did what it was asked for.
     *
     * @return true for status 0
     */
    public boolean isSuccess() {
        return status == 0;
    }
}
