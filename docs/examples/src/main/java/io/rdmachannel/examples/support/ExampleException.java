// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

/** Something that the user of an example has to know: the message is printed, and the program fails. */
public final class ExampleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what has happened
     */
    public ExampleException(String message) {
        super(message);
    }
}
