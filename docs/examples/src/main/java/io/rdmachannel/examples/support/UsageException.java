// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

/** The command line is wrong; the message says which part. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what is wrong
     */
    public UsageException(String message) {
        super(message);
    }
}
