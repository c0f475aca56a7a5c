// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessFlagTest {
    @Test
    void setsAndBitsTurnIntoEachOther() {
        Set<AccessFlag> flags = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.RELAXED_ORDERING);

        assertThat(AccessFlag.bits(flags)).isEqualTo(1 | 1 << 2 | 1 << 20);
        assertThat(AccessFlag.of(AccessFlag.bits(flags))).isEqualTo(flags);
        assertThat(AccessFlag.bits(Set.of())).isZero();
        assertThat(AccessFlag.of(0)).isEmpty();
    }

    @Test
    void bitsWithoutAFlagAreDropped() {
        assertThat(AccessFlag.of(1 << 30 | 1)).containsExactly(AccessFlag.LOCAL_WRITE);
        assertThat(AccessFlag.of(-1)).isEqualTo(EnumSet.allOf(AccessFlag.class));
    }

    @ParameterizedTest
    @EnumSource(names = {"REMOTE_WRITE", "REMOTE_ATOMIC"})
    void writingByPeersNeedsWritingByTheLocalAdapter(AccessFlag flag) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccessFlag.requireConsistent(Set.of(flag)))
                .withMessageContaining(flag.name())
                .withMessageContaining("need LOCAL_WRITE, add it");
        assertThatCode(() -> AccessFlag.requireConsistent(Set.of(flag, AccessFlag.LOCAL_WRITE)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"REMOTE_WRITE", "REMOTE_ATOMIC"},
            mode = EnumSource.Mode.EXCLUDE)
    void allOtherFlagsStandAlone(AccessFlag flag) {
        assertThatCode(() -> AccessFlag.requireConsistent(Set.of(flag))).doesNotThrowAnyException();
    }

    @Test
    void noFlagAtAllIsConsistent() {
        assertThatCode(() -> AccessFlag.requireConsistent(Set.of())).doesNotThrowAnyException();
        assertThatNullPointerException().isThrownBy(() -> AccessFlag.requireConsistent(null));
    }
}
