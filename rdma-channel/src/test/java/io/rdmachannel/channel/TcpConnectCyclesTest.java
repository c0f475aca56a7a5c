// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** Thousands of connections over the tcp transport. */
class TcpConnectCyclesTest extends ConnectCycles {
    @Override
    Transport transport() {
        return Transport.TCP;
    }
}
