// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

/** Something that the user of an example has to know: the message is printed, and the program fails. */
final class ExampleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExampleException(String message) {
        super(message);
    }
}
