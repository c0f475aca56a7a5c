// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rdmachannel.ffi.generated.libc.libc;
import io.rdmachannel.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionEventTest {
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void shouldFindEveryTypeByItsNumber(ConnectionEventType type) {
        assertThat(ConnectionEventType.of(type.raw())).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 16, 99, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldKeepTheNumberOfATypeThatIsNotKnown(int raw) {
        ConnectionEvent event = new ConnectionEvent(raw, 0, null, null, ConnectionEvent.Details.NONE);

        assertThat(event.type()).isEqualTo(ConnectionEventType.UNKNOWN);
        assertThat(event.rawType()).isEqualTo(raw);
        assertThat(event.toString()).contains("event " + raw);
    }

    @Test
    void shouldReturnItselfWhenItIsTheOneHopedFor() {
        ConnectionEvent event = event(ConnectionEventType.ESTABLISHED, 0);

        assertThat(event.require(ConnectionEventType.ESTABLISHED)).isSameAs(event);
    }

    @Test
    void shouldTellARefusedConnectionApartFromAMissingListener() {
        assertRefused(event(ConnectionEventType.REJECTED, 28), libc.ECONNREFUSED(), "by the program at the other end");
        assertRefused(event(ConnectionEventType.REJECTED, 8), libc.ECONNREFUSED(), "nobody listens there");
        assertRefused(event(ConnectionEventType.REJECTED, 4), libc.ECONNREFUSED(), "status 4");
    }

    @Test
    void shouldTurnAFailureIntoTheErrorNumberThatFits() {
        assertRefused(event(ConnectionEventType.UNREACHABLE, 0), libc.ETIMEDOUT(), "UDP 4791");
        assertRefused(event(ConnectionEventType.UNREACHABLE, -110), libc.ETIMEDOUT(), "ETIMEDOUT (110)");
        assertRefused(event(ConnectionEventType.ADDRESS_ERROR, -19), libc.ENODEV(), "No RDMA device has that address");
        assertRefused(event(ConnectionEventType.DEVICE_REMOVAL, 0), libc.ENODEV(), "DEVICE_REMOVAL");
        assertRefused(event(ConnectionEventType.DISCONNECTED, 0), libc.ECONNRESET(), "DISCONNECTED");
        assertRefused(event(ConnectionEventType.ROUTE_RESOLVED, 0), 0, "ROUTE_RESOLVED");
    }

    @Test
    void shouldRefuseToExpectNothing() {
        assertThatNullPointerException()
                .isThrownBy(() -> event(ConnectionEventType.ESTABLISHED, 0).require(null));
    }

    @Test
    void shouldHaveNoPartsThatDidNotCome() {
        ConnectionEvent event = event(ConnectionEventType.ADDRESS_RESOLVED, 0);

        assertThat(event.privateData()).isEmpty();
        assertThat(event.parameters()).isEmpty();
        assertThat(event.datagramPeer()).isEmpty();
        assertThat(event.listener()).isEmpty();
    }

    private static ConnectionEvent event(ConnectionEventType type, int status) {
        return new ConnectionEvent(type.raw(), status, null, null, ConnectionEvent.Details.NONE);
    }

    private static void assertRefused(ConnectionEvent event, int errno, String words) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> event.require(ConnectionEventType.ESTABLISHED))
                .withMessageContainingAll("ESTABLISHED", words)
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(errno));
    }
}
