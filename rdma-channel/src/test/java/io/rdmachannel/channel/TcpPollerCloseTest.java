// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** Over the tcp transport. */
class TcpPollerCloseTest extends PollerCloseCases {
    @Override
    Transport transport() {
        return Transport.TCP;
    }
}
