// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.RegionRight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyTableTest {
    private final KeyTable table = new KeyTable();
    private final MemorySegment memory = Arena.ofAuto().allocate(100, 8);

    @Test
    void shouldFindOnlyWhatKeyRightAndBoundsPermit() {
        int key = table.add(memory, Set.of(RegionRight.READ, RegionRight.ATOMIC));
        long address = memory.address();
        assertThat(table.find(key, RegionRight.READ, address, 100)).isSameAs(memory);
        assertThat(table.find(key, RegionRight.ATOMIC, address + 92, 8)).isSameAs(memory);
        assertThat(table.find(key, RegionRight.READ, address + 100, 0)).isSameAs(memory);
        assertThat(table.find(key, RegionRight.WRITE, address, 1)).isNull();
        assertThat(table.find(key, RegionRight.READ, address, 101)).isNull();
        assertThat(table.find(key, RegionRight.READ, address - 1, 1)).isNull();
        assertThat(table.find(key, RegionRight.READ, address, -1)).isNull();
        assertThat(table.find(key, RegionRight.READ, address + 1, Long.MAX_VALUE))
                .isNull();
        assertThat(table.find(key, RegionRight.READ, Long.MIN_VALUE, Long.MAX_VALUE))
                .isNull();
        assertThat(table.find(key + 1, RegionRight.READ, address, 1)).isNull();
        assertThat(table.find(~key, RegionRight.READ, address, 1)).isNull();
    }

    @Test
    void shouldNotOpenWhatComesAfterAWithdrawnKey() {
        int key = table.addReadable(memory);
        table.remove(key);
        table.remove(key);
        assertThat(table.find(key, RegionRight.READ, memory.address(), 1)).isNull();
        MemorySegment other = Arena.ofAuto().allocate(100, 8);
        int next = table.addReadable(other);
        assertThat(table.find(next, RegionRight.READ, other.address(), 1)).isSameAs(other);
        if (next != key) {
            assertThat(table.find(key, RegionRight.READ, other.address(), 1)).isNull();
        }
    }

    @Test
    void shouldNotOpenMemoryWhoseArenaIsClosed() {
        Arena arena = Arena.ofShared();
        MemorySegment mortal = arena.allocate(10);
        int key = table.addReadable(mortal);
        arena.close();
        assertThat(table.find(key, RegionRight.READ, mortal.address(), 1)).isNull();
    }

    @Test
    void shouldHoldManyAndGiveEachPlaceOnce() {
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            keys.add(table.addReadable(memory));
        }
        assertThat(keys).doesNotHaveDuplicates();
        keys.forEach(table::remove);
        int again = table.addReadable(memory);
        assertThat(again & 0xFFFF).isLessThan(1000);
    }
}
