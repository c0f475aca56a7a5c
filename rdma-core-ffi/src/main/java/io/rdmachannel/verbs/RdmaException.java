// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

/**
 * The root of the exceptions that RDMA operations throw outside the data path. All are unchecked. Misuse (a null, a
 * closed object, a value out of range, a wrong thread) is told by the JDK's own exceptions instead.
 */
public class RdmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what happened, and what to do
     */
    public RdmaException(String message) {
        super(message);
    }
}
