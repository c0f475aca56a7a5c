// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What an rping is asked to do.
 *
 * @param server whether it is the server
 * @param address where the server listens
 * @param count how many pings a client sends, 0 for no end
 * @param size how many bytes a ping has
 * @param validate whether a client compares what comes back
 * @param verbose whether pings are shown
 * @param timeout the limit of each wait
 */
record RpingOptions(
        boolean server,
        InetSocketAddress address,
        int count,
        int size,
        boolean validate,
        boolean verbose,
        Duration timeout) {
    static final String USAGE = """
            rping -s [-v] [-a address] [-p port] [-S size] [-t seconds]
            rping -c [-v] [-V] [-C count] [-S size] [-t seconds] -a address [-p port]
              -s  server            -c  client
              -a  address of the server (server: to listen on; otherwise all)
              -p  port, 7174        -t  limit of each wait in seconds, 30
              -C  number of pings; 0 or none: without end
              -S  bytes of a ping, 64 (server: the most it takes, 65535)
              -V  compare the data  -v  show the data""";

    private static final int PORT = 7174;
    private static final int SIZE = 64;

    static RpingOptions parse(String[] arguments) {
        Arguments parsed = Arguments.parse(arguments, "scvV", "apCSt");
        boolean server = parsed.has("s");
        if (server == parsed.has("c")) {
            throw new ExampleException("give either -s or -c");
        }
        if (!server && !parsed.has("a")) {
            throw new ExampleException("a client needs -a, the server's address");
        }
        return new RpingOptions(
                server,
                new InetSocketAddress(parsed.address("a", "0.0.0.0"), parsed.port(PORT)),
                parsed.number("C", 0, Integer.MAX_VALUE, 0),
                parsed.number("S", PingData.LENGTH_MIN, PingData.LENGTH_MAX, server ? PingData.LENGTH_MAX : SIZE),
                parsed.has("V"),
                parsed.has("v"),
                parsed.timeout());
    }
}
