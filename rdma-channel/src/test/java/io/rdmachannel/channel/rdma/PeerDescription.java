// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.PathMtu;

/** Reads what a peer says of its queue pair, on behalf of tests in other packages. */
public final class PeerDescription {
    private static final EndDescription OWN = new EndDescription(
            100,
            7,
            Gid.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 0, 0, 1}),
            0,
            PathMtu.MTU_1024,
            true,
            4,
            4);

    private PeerDescription() {}

    /** Reads it, and asks whether a peer over RoCE could be reached by it. */
    public static void read(Fields peer) {
        OWN.requireReachable(EndDescription.from(peer));
    }

    /** Adds a description that can be read and reached. */
    public static Fields describe(Fields fields) {
        OWN.putInto(fields);
        return fields;
    }
}
