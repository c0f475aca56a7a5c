// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class PatternTest {
    private final MemorySegment memory = MemorySegment.ofArray(new byte[4096]);

    @Test
    void shouldFindTheByteThatDiffers() {
        Pattern.fill(memory, 8, 4080, 7);
        assertThat(Pattern.mismatch(memory, 8, 4080, 7)).isEqualTo(-1);
        memory.set(ValueLayout.JAVA_BYTE, 8 + 805, (byte) (memory.get(ValueLayout.JAVA_BYTE, 8 + 805) ^ 1));
        assertThat(Pattern.mismatch(memory, 8, 4080, 7)).isEqualTo(800);
    }

    @Test
    void shouldDifferFromThePatternOfAnotherSeed() {
        Pattern.fill(memory, 0, 4096, 7);
        assertThat(Pattern.mismatch(memory, 0, 4096, 8)).isZero();
    }
}
