// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathMtuTest {
    @ParameterizedTest
    @CsvSource({"256,MTU_256", "512,MTU_512", "1024,MTU_1024", "2048,MTU_2048", "4096,MTU_4096"})
    void everySizeHasItsConstant(int bytes, PathMtu mtu) {
        assertThat(PathMtu.ofBytes(bytes)).isEqualTo(mtu);
        assertThat(mtu.bytes()).isEqualTo(bytes);
        assertThat(PathMtu.of(mtu.raw())).isEqualTo(mtu);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 1023, 1500, 8192, -1})
    void otherSizesAreRefusedWithTheChoice(int bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathMtu.ofBytes(bytes))
                .withMessage(
                        "path MTU is %d bytes, which is none of 256, 512, 1024, 2048, 4096: take one of them", bytes);
    }

    @ParameterizedTest
    @CsvSource({"256,MTU_256", "511,MTU_256", "1023,MTU_512", "1442,MTU_1024", "4096,MTU_4096", "9000,MTU_4096"})
    void roundsDown(int bytes, PathMtu mtu) {
        assertThat(PathMtu.largestNotAbove(bytes)).isEqualTo(mtu);
    }

    @ParameterizedTest
    @ValueSource(ints = {255, 0, -1, Integer.MIN_VALUE})
    void tooSmallToRoundDownIsRefused(int bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathMtu.largestNotAbove(bytes))
                .withMessageContaining(bytes + " bytes")
                .withMessageContaining("raise the link's MTU");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6, -1, Integer.MAX_VALUE})
    void numbersThatAreNotKnownAreUnknown(int raw) {
        assertThat(PathMtu.of(raw)).isEqualTo(PathMtu.UNKNOWN);
    }

    @Test
    void unknownHasNoSizeAndCannotBeAskedFor() {
        assertThat(PathMtu.UNKNOWN.bytes()).isZero();
        assertThatIllegalArgumentException().isThrownBy(PathMtu.UNKNOWN::raw);
    }

    @Test
    void theSmallerOfTwoIsWhatBothCanDo() {
        assertThat(PathMtu.MTU_4096.min(PathMtu.MTU_1024)).isEqualTo(PathMtu.MTU_1024);
        assertThat(PathMtu.MTU_1024.min(PathMtu.MTU_4096)).isEqualTo(PathMtu.MTU_1024);
        assertThat(PathMtu.MTU_256.min(PathMtu.UNKNOWN)).isEqualTo(PathMtu.UNKNOWN);
        assertThat(PathMtu.values()).isSortedAccordingTo((a, b) -> a.bytes() - b.bytes());
    }
}
