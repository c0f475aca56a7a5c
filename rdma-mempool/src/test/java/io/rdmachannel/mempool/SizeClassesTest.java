// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeClassesTest {
    @Test
    void shouldFindTheSmallestClassThatHoldsEachSize() {
        SizeClasses classes = new SizeClasses(1 << 20, 0);
        for (long bytes = 0; bytes <= 70_000; bytes++) {
            int index = classes.indexOf(bytes);
            assertThat(SizeClasses.size(index)).isGreaterThanOrEqualTo(bytes);
            if (index > 0) {
                assertThat(SizeClasses.size(index - 1)).isLessThan(bytes);
            }
        }
    }

    @Test
    void shouldWasteLessThan64BytesOrLessThanAFifthOfABuffer() {
        for (long bytes = 1; bytes <= 1L << 40; bytes += 1 + bytes / 97) {
            long size = SizeClasses.size(SizeClasses.smallestHolding(bytes));
            long waste = size - bytes;
            assertThat(waste < 64 || waste * 5 < size)
                    .as("%d in %d", bytes, size)
                    .isTrue();
            assertThat(size % 64).isZero();
        }
    }

    @Test
    void shouldCallASizeOversizeWhenItsBufferDoesNotFitIntoASlab() {
        SizeClasses classes = new SizeClasses(1 << 20, 64);
        assertThat(classes.largest() + classes.headroomStride()).isLessThanOrEqualTo(1 << 20);
        assertThat(classes.indexOf(classes.largest())).isEqualTo(classes.count() - 1);
        assertThat(classes.indexOf(classes.largest() + 1)).isEqualTo(-1);
        assertThat(classes.indexOf(Long.MAX_VALUE)).isEqualTo(-1);
    }

    @Test
    void shouldRefuseAHeadroomThatFillsTheSlab() {
        assertThatThrownBy(() -> new SizeClasses(65536, 65536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leaves no room");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40, 64, 256})
    void shouldLeaveAtMostAnEighthOfASpanUnused(int headroom) {
        long slab = 64L << 20;
        SizeClasses classes = new SizeClasses(slab, headroom);
        for (int i = 0; i < classes.count(); i++) {
            SpanShape shape = SpanShape.of(classes, i, slab);
            long bytes = shape.unitCount() * PoolConfig.UNIT_BYTES;
            long used = shape.bufferCount() * shape.stride();
            assertThat(shape.bufferCount()).isPositive();
            assertThat(used).isLessThanOrEqualTo(bytes);
            assertThat(bytes).isLessThanOrEqualTo(slab);
            if (shape.stride() * 16 < slab) {
                assertThat((bytes - used) * 8).as("class %d", i).isLessThanOrEqualTo(bytes);
            }
        }
    }
}
