// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.testing.LoopbackTest;

/** Over RDMA, on the stand-in for the verbs library. */
@LoopbackTest
class LoopbackPollerCloseTest extends PollerCloseCases {
    @Override
    Transport transport() {
        return Transport.RDMA;
    }
}
