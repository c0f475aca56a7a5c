// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

/** Which side of a handshake it is; what one side has made is never taken for the other one's. */
enum Side {
    CONNECTING("connecting"),
    ACCEPTING("accepting");

    private final String label;

    Side(String label) {
        this.label = label;
    }

    /** Its name in what codes are made of. */
    String label() {
        return label;
    }

    Side other() {
        return this == CONNECTING ? ACCEPTING : CONNECTING;
    }
}
