// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.libc.libc;

/** Says why a change of a queue pair was refused: by the transition table, or by what the errno means there. */
final class QueuePairRefusal {
    private QueuePairRefusal() {}

    static String explain(QueuePair queuePair, QueuePairChange change, int errno) {
        if (errno == libc.EINVAL()) {
            return invalid(queuePair, change);
        }
        if (errno == libc.ETIMEDOUT() || errno == libc.ENETUNREACH() || errno == libc.EHOSTUNREACH()) {
            return "Nobody answers at the destination GID, or there is no route to it from the source GID: check that"
                    + " the peer is up, that both are in one network, and the source GID index.";
        }
        if (errno == libc.ENODEV() || errno == libc.ENODATA()) {
            return "The source GID index names an empty entry, or its network interface is gone: read the GID table"
                    + " anew.";
        }
        return "";
    }

    private static String invalid(QueuePair queuePair, QueuePairChange change) {
        QueuePairState from = queuePair.query().state();
        QueuePairState to = change.state() == null ? from : change.state();
        return QueuePairTransitions.explain(queuePair.type(), from, to, change.given())
                .orElse("The move from " + from + " to " + to
                        + " and its attributes are legal, so a value is wrong: check"
                        + " the port, the source GID index (it must be a filled entry), that the route is global on"
                        + " Ethernet, the path MTU against the port's active MTU, and the numbers of outstanding reads"
                        + " against the device's limits.");
    }
}
