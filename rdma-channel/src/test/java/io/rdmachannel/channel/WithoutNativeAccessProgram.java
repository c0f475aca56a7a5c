// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** What {@link WithoutNativeAccessTest} starts: an echo, with both ends in one JVM. */
final class WithoutNativeAccessProgram {
    private static final int BYTES = 100_000;

    private WithoutNativeAccessProgram() {}

    public static void main(String[] arguments) throws Exception {
        Transport transport = Transport.valueOf(arguments[0]);
        long[] length = new long[1];
        try (Poller poller = Poller.start(PollerConfig.of("server"));
                RdmaListener listener = RdmaListener.bind(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ChannelConfig.builder()
                                .transport(transport)
                                .poller(poller)
                                .build(),
                        () -> (channel, buffer, offset, bytes) -> channel.send(buffer, offset, bytes));
                RdmaChannel channel = RdmaChannel.connect(
                        listener.address(),
                        ChannelConfig.builder().transport(transport).build(),
                        (of, buffer, offset, bytes) -> length[0] = bytes)) {
            channel.send(MemorySegment.ofArray(new byte[BYTES]), 0, BYTES);
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (length[0] == 0 && System.nanoTime() - end < 0) {
                channel.poll(Duration.ofMillis(10));
            }
            System.out.println("an answer of " + length[0] + " bytes over " + channel.transport());
        }
    }
}
