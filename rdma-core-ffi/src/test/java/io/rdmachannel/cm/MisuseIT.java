// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rdmachannel.testing.ConnectionManagerTest;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ConnectionManagerTest
class MisuseIT {
    private static final ConnectionParameters PARAMETERS = ConnectionParameters.ofQueuePair(1);
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);

    private EventChannel events;
    private ConnectionId id;

    @BeforeEach
    void open() {
        events = EventChannel.create();
        id = events.createId(PortSpace.TCP);
    }

    @AfterEach
    void close() {
        events.close();
    }

    @Test
    void shouldRefuseNull() {
        List<ThrowingCallable> calls = List.of(
                () -> events.createId(null),
                () -> events.await(0, null),
                () -> id.bindAddress(null),
                () -> id.resolveAddress(null, null, 1, TimeUnit.SECONDS),
                () -> id.resolveAddress(null, ANY, 1, null),
                () -> id.resolveRoute(1, null),
                () -> id.connect(null),
                () -> id.accept(null),
                () -> id.reject(null),
                () -> id.queuePairChange(null));

        for (ThrowingCallable call : calls) {
            assertThatNullPointerException().isThrownBy(call);
        }
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        List<ThrowingCallable> calls = List.of(
                () -> events.await(-1, TimeUnit.SECONDS),
                () -> id.listen(-1),
                () -> id.typeOfService(256),
                () -> id.typeOfService(-1),
                () -> id.resolveAddress(null, ANY, 0, TimeUnit.SECONDS),
                () -> id.resolveAddress(null, ANY, -1, TimeUnit.SECONDS),
                () -> id.resolveRoute(Long.MAX_VALUE, TimeUnit.DAYS),
                () -> id.connect(PARAMETERS.withPrivateData(new byte[57])),
                () -> id.accept(PARAMETERS.withPrivateData(new byte[197])),
                () -> id.reject(new byte[149]),
                () -> id.bindAddress(InetSocketAddress.createUnresolved("nowhere.invalid", 1)),
                () -> id.queuePairChange(QueuePairState.RESET));

        for (ThrowingCallable call : calls) {
            assertThatIllegalArgumentException().isThrownBy(call);
        }
    }

    @Test
    void shouldRefuseCallsThatNeedADeviceBeforeThereIsOne() {
        List<ThrowingCallable> calls = List.of(
                () -> id.resolveRoute(1, TimeUnit.SECONDS),
                () -> id.connect(PARAMETERS),
                () -> id.accept(PARAMETERS),
                id::establish,
                id::disconnect,
                () -> id.queuePairChange(QueuePairState.INIT));

        for (ThrowingCallable call : calls) {
            assertThatIllegalStateException().isThrownBy(call).withMessageContaining("ADDRESS_RESOLVED");
        }
    }

    @Test
    void shouldRefuseCallsOutOfOrderWithoutHarm() {
        id.bindAddress(LocalAddresses.ipv4(0).orElseThrow());
        List<ThrowingCallable> calls = List.of(
                () -> id.resolveRoute(1, TimeUnit.SECONDS),
                () -> id.connect(PARAMETERS),
                () -> id.accept(PARAMETERS),
                id::establish,
                id::disconnect,
                () -> id.reject(new byte[0]),
                () -> id.bindAddress(ANY),
                () -> id.queuePairChange(QueuePairState.READY_TO_SEND));

        for (ThrowingCallable call : calls) {
            assertThatExceptionOfType(VerbsException.class).isThrownBy(call);
        }
    }

    @Test
    void shouldRefuseEveryCallOfAClosedIdentifier() {
        id.close();
        List<ThrowingCallable> calls = List.of(
                () -> id.reuseAddress(true),
                () -> id.typeOfService(0),
                () -> id.bindAddress(ANY),
                () -> id.resolveAddress(null, ANY, 1, TimeUnit.SECONDS),
                () -> id.resolveRoute(1, TimeUnit.SECONDS),
                () -> id.listen(0),
                () -> id.connect(PARAMETERS),
                () -> id.accept(PARAMETERS),
                () -> id.reject(new byte[0]),
                id::establish,
                id::disconnect,
                () -> id.queuePairChange(QueuePairState.INIT),
                id::localAddress,
                id::remoteAddress,
                id::localPort,
                id::remotePort,
                id::devicePort);

        for (ThrowingCallable call : calls) {
            assertThatIllegalStateException().isThrownBy(call).withMessageContaining("is closed");
        }
    }

    @Test
    void shouldRefuseEveryCallOfAClosedChannel() {
        events.close();
        List<ThrowingCallable> calls =
                List.of(() -> events.createId(PortSpace.TCP), () -> events.await(0, TimeUnit.SECONDS), events::wakeUp);

        for (ThrowingCallable call : calls) {
            assertThatIllegalStateException().isThrownBy(call).withMessageContaining("is closed");
        }
    }
}
