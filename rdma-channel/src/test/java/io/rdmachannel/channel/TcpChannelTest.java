// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.net.InetAddress;
import org.junit.jupiter.api.Nested;

/** The contract over TCP, on any machine. */
class TcpChannelTest {
    @Nested
    class BusyPolling extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.BUSY_POLL);
        }
    }

    @Nested
    class Events extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.EVENT);
        }
    }

    @Nested
    class Adaptive extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.ADAPTIVE);
        }
    }

    @Nested
    class SharingReceives extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.BUSY_POLL).sharing(new SharedReceives(80, 1024, 4096));
        }
    }

    private static ChannelPair.Setup over(CompletionMode mode) {
        return new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(),
                mode,
                ChannelConfig.builder().transport(Transport.TCP),
                ChannelConfig.builder().transport(Transport.TCP));
    }
}
