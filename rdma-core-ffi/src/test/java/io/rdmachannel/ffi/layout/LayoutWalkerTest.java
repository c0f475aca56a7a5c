// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.MemoryLayout.unionLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.StructLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LayoutWalkerTest {
    private static final StructLayout PAIR = structLayout(JAVA_INT.withName("first"), JAVA_INT.withName("second"));

    @Test
    void shouldSkipPaddingButCountIt() {
        StructLayout layout = structLayout(JAVA_BYTE.withName("port"), paddingLayout(7), JAVA_LONG.withName("guid"));

        assertThat(LayoutWalker.members(layout, Set.of()))
                .containsExactly(new Member("port", 0, 1), new Member("guid", 8, 8));
    }

    @Test
    void shouldNameMembersOfMembersByTheirPath() {
        StructLayout layout = structLayout(JAVA_LONG.withName("id"), PAIR.withName("pair"));

        assertThat(LayoutWalker.members(layout, Set.of()))
                .containsExactly(
                        new Member("id", 0, 8),
                        new Member("pair", 8, 8),
                        new Member("pair.first", 8, 4),
                        new Member("pair.second", 12, 4));
    }

    @Test
    void shouldLeaveAnonymousMembersOutOfThePath() {
        StructLayout layout = structLayout(
                JAVA_LONG.withName("id"),
                unionLayout(JAVA_INT.withName("imm_data"), JAVA_INT.withName("invalidate_rkey"))
                        .withName("$anon$1133:2"),
                JAVA_INT.withName("last"));

        assertThat(LayoutWalker.members(layout, Set.of()))
                .containsExactly(
                        new Member("id", 0, 8),
                        new Member("imm_data", 8, 4),
                        new Member("invalidate_rkey", 8, 4),
                        new Member("last", 12, 4));
    }

    @Test
    void shouldLookIntoTheFirstElementOfAnArray() {
        StructLayout layout = structLayout(sequenceLayout(3, PAIR).withName("pairs"));

        assertThat(LayoutWalker.members(layout, Set.of()))
                .containsExactly(
                        new Member("pairs", 0, 24),
                        new Member("pairs[0]", 0, 8),
                        new Member("pairs[0].first", 0, 4),
                        new Member("pairs[0].second", 4, 4));
    }

    @Test
    void shouldNotLookIntoAClosedLayout() {
        StructLayout layout = structLayout(PAIR.withName("mutex"), JAVA_INT.withName("handle"));

        assertThat(LayoutWalker.members(layout, Set.of(PAIR)))
                .containsExactly(new Member("mutex", 0, 8), new Member("handle", 8, 4));
    }
}
