// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.PathMtu;
import java.time.Duration;

/**
 * What the user wants, checked as far as that goes without a device. The defaults are those of {@code ibv_rc_pingpong}.
 *
 * @param host where the server is, or null to be the server
 * @param tcpPort where addresses are exchanged
 * @param device the device's name, or null for the first
 * @param devicePort the port of the device
 * @param size bytes of a message
 * @param mtu the path MTU wanted
 * @param receiveDepth receives posted at a time
 * @param iterations how many exchanges
 * @param serviceLevel goes into packets, for quality of service
 * @param events true to sleep until completions are announced
 * @param gidIndex an index into the local GID table, or {@link #NO_INDEX}
 * @param check whether content is checked
 * @param timeout the exponent of the retransmission time
 * @param limit the longest wait for the other side
 * @param patience how long a client tries again when it is refused
 * @param warmUp exchanges that are left out of the latencies
 */
record Options(
        String host,
        int tcpPort,
        String device,
        int devicePort,
        int size,
        PathMtu mtu,
        int receiveDepth,
        int iterations,
        int serviceLevel,
        boolean events,
        int gidIndex,
        boolean check,
        int timeout,
        Duration limit,
        Duration patience,
        int warmUp) {
    static final int NO_INDEX = -1;

    private static final int SIZE_MAX = 1 << 29;
    private static final int SECONDS_MAX = 86_400;

    static Options parse(String... arguments) {
        return of(new Arguments(arguments));
    }

    static Options of(Arguments given) {
        int iterations = given.number(Option.ITERATIONS, 1000, 1, Integer.MAX_VALUE);
        return new Options(
                host(given),
                given.number(Option.PORT, 18515, 1, 65535),
                given.text(Option.DEVICE),
                given.number(Option.DEVICE_PORT, 1, 1, 255),
                given.number(Option.SIZE, 4096, 1, SIZE_MAX),
                mtu(given),
                given.number(Option.RECEIVE_DEPTH, 500, 1, 1 << 20),
                iterations,
                given.number(Option.SERVICE_LEVEL, 0, 0, 15),
                given.has(Option.EVENTS),
                given.number(Option.GID_INDEX, NO_INDEX, 0, 255),
                given.has(Option.CHECK),
                given.number(Option.TIMEOUT, 14, 1, 31),
                Duration.ofSeconds(given.number(Option.LIMIT, 30, 1, SECONDS_MAX)),
                Duration.ofSeconds(given.number(Option.PATIENCE, 0, 0, SECONDS_MAX)),
                given.number(Option.WARM_UP, 0, 0, iterations - 1));
    }

    boolean isClient() {
        return host != null;
    }

    private static String host(Arguments given) {
        if (given.operands().size() > 1) {
            throw new UsageException(
                    "one host, or none to be the server, not " + String.join(" and ", given.operands()));
        }
        return given.operands().isEmpty() ? null : given.operands().getFirst();
    }

    private static PathMtu mtu(Arguments given) {
        int bytes = given.number(Option.MTU, PathMtu.MTU_1024.bytes(), 0, Integer.MAX_VALUE);
        try {
            return PathMtu.ofBytes(bytes);
        } catch (IllegalArgumentException unknown) {
            throw new UsageException(Option.MTU + ": " + unknown.getMessage());
        }
    }
}
