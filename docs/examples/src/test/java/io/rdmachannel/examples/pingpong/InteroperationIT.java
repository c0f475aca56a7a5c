// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Java against rdma-core's program and against itself, with every byte checked. */
@Tag("rdma")
@ExtendWith(RdmaLab.class)
class InteroperationIT {
    private static final String HOST = " 127.0.0.1";

    private final int port = TcpPort.free();

    static Stream<String> ways() {
        return IntStream.of(1, 1023, 1024, 1025, 4096, 4097, 65_536, 1 << 20)
                .boxed()
                .flatMap(size -> Stream.of("", " -e").map(events -> way(size, events)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void shouldBeTheClientOfTheProgramInC(String way) {
        try (CSide server = CSide.start("-p " + port + forC(way))) {
            TcpPort.awaitListener(port);

            requireSuccess(JavaSide.run("-p " + port + way + HOST));
            requireSuccessOfC(server.await());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void shouldBeTheServerOfTheProgramInC(String way) {
        JavaSide server = JavaSide.start("-p " + port + way);
        TcpPort.awaitListener(port);
        try (CSide client = CSide.start("-p " + port + forC(way) + HOST)) {
            requireSuccess(server.await());
            requireSuccessOfC(client.await());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void shouldPlayWithItself(String way) {
        JavaSide server = JavaSide.start("-p " + port + way);

        requireSuccess(JavaSide.run("-w 60 -p " + port + way + HOST));
        requireSuccess(server.await());
    }

    @Test
    void shouldPlayWithOneSidePollingAndTheOtherSleeping() {
        JavaSide server = JavaSide.start("-c -e -p " + port);

        requireSuccess(JavaSide.run("-c -w 60 -p " + port + HOST));
        requireSuccess(server.await());
    }

    @Test
    void shouldPlayWithOneReceivePostedAtATime() {
        try (CSide server = CSide.start("-c -r 3 -n 100 -p " + port)) {
            TcpPort.awaitListener(port);

            requireSuccess(JavaSide.run("-c -r 1 -n 100 -p " + port + HOST));
            requireSuccessOfC(server.await());
        }
    }

    @Test
    void shouldFindTheGidOfAnIpv6Connection() {
        JavaSide server = JavaSide.start("-c -n 10 -p " + port);

        requireSuccess(JavaSide.run("-c -n 10 -w 60 -p " + port + " ::1"));
        requireSuccess(server.await());
    }

    @Test
    void shouldTakeAGivenGidAndDevicePort() {
        JavaSide server = JavaSide.start("-g " + RdmaLab.gidIndex() + " -i 1 -n 10 -p " + port);

        requireSuccess(JavaSide.run("-n 10 -w 60 -p " + port + HOST));
        requireSuccess(server.await());
    }

    private static String way(int size, String events) {
        return " -L 60 -c -n " + (size < 65_536 ? 100 : 8) + " -s " + size + events;
    }

    /** The program in C knows no limit. */
    private static String forC(String way) {
        return way.replace("-L 60 ", "");
    }

    private static void requireSuccess(Run java) {
        assertThat(java.err()).isEmpty();
        assertThat(java.status()).isZero();
        assertThat(java.out())
                .contains("local address:", "remote address:", "bytes in", "usec/iter", "half round trip: median");
    }

    /** The program in C ends with status 0 when the content is wrong, too. */
    private static void requireSuccessOfC(Run c) {
        assertThat(c.err()).isEmpty();
        assertThat(c.status()).isZero();
        assertThat(c.out()).contains("usec/iter").doesNotContain("invalid data");
    }
}
