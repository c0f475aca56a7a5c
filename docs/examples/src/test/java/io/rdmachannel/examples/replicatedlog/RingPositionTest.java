// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class RingPositionTest {
    @Test
    void shouldBeginARecordThatDoesNotFitAtTheNextTurn() {
        assertThat(RingPosition.begin(0, 100, 1000)).isZero();
        assertThat(RingPosition.begin(900, 100, 1000)).isEqualTo(900);
        assertThat(RingPosition.begin(900, 104, 1000)).isEqualTo(1000);
        assertThat(RingPosition.begin(1000, 104, 1000)).isEqualTo(1000);
        assertThat(RingPosition.begin(5992, 16, 1000)).isEqualTo(6000);
    }

    @Test
    void shouldReadARecordAsItWasWritten() {
        byte[] data = {1, 2, 3};
        MemorySegment record = Arena.ofAuto().allocate(RecordLayout.bytes(3), 8);
        RecordLayout.put(record, 9, data);
        assertThat(record.byteSize()).isEqualTo(24);
        assertThat(RecordLayout.read(record, 9)).isEqualTo(data);
    }

    @Test
    void shouldRefuseARecordThatIsAnotherOrNotWhole() {
        MemorySegment record = Arena.ofAuto().allocate(RecordLayout.bytes(3), 8);
        RecordLayout.put(record, 9, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> RecordLayout.read(record, 10)).isInstanceOf(CorruptRecordException.class);
        record.set(ValueLayout.JAVA_INT, 8, 9);
        assertThatThrownBy(() -> RecordLayout.read(record, 9)).isInstanceOf(CorruptRecordException.class);
        record.set(ValueLayout.JAVA_INT, 8, 2);
        assertThatThrownBy(() -> RecordLayout.read(record, 9))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("checksum");
    }
}
