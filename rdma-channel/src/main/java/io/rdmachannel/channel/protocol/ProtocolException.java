// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

/** The peer does not keep to the protocol. Whoever catches it drops the connection, and no other. */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what was wrong, with the values
     */
    public ProtocolException(String message) {
        super(Words.printable(message));
    }
}
