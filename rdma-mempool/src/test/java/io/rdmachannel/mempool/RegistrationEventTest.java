// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RegistrationEventTest {
    @Test
    void shouldRecordRegistrationsOfSlabsAndOfUsersMemory(@TempDir Path directory) throws Exception {
        PoolConfig config =
                Pools.small().name("orders").registerWith(new FakeRegistrar(0)).build();
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable("io.rdmachannel.mempool.Registration");
            recording.start();
            try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
                pool.register(Arena.ofAuto().allocate(10_000)).close();
            }
            Path file = directory.resolve("registration.jfr");
            recording.dump(file);
            events = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().endsWith(".Registration"))
                    .toList();
        }
        assertThat(events).extracting(event -> event.getString("pool")).containsExactly("orders", "users' memory");
        assertThat(events)
                .extracting(event -> event.getLong("bytes"))
                .containsExactly(4 * PoolConfig.UNIT_BYTES, 10_000L);
        assertThat(events).allSatisfy(event -> assertThat(event.getDuration()).isPositive());
    }
}
