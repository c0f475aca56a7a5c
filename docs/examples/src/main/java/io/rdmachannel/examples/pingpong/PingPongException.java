// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

/** The ping-pong cannot go on; the message is one line for the user. */
final class PingPongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PingPongException(String message) {
        super(message);
    }

    PingPongException(String message, Throwable cause) {
        super(message, cause);
    }
}
