// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

/** A command cannot do what was asked. The message is for the user: what happened, and what to do. */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what happened, and what to do
     */
    public ToolException(String message) {
        super(message);
    }

    /**
     * Makes an exception with a cause.
     *
     * @param message what happened, and what to do
     * @param cause what it came from
     */
    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
