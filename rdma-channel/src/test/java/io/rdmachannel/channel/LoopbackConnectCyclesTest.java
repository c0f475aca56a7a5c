// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.testing.LoopbackTest;

/** Thousands of connections over RDMA, on the stand-in for the verbs library, whose objects are counted, too. */
@LoopbackTest
class LoopbackConnectCyclesTest extends ConnectCycles {
    @Override
    Transport transport() {
        return Transport.RDMA;
    }
}
