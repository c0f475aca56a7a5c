// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** Recovery over the tcp transport, whose data connection is cut with the control connection. */
class TcpRecoveryTest extends RecoveryCases {
    @Override
    Transport transport() {
        return Transport.TCP;
    }
}
