// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

/** The command line is wrong; the message says which part. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
