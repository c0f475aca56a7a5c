// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    private static final int SIZE = 10_000;

    @Test
    void shouldKeepTheZerosThatTheServerInCLooksFor() {
        byte[] content = content(SIZE, 17);

        assertThat(new byte[] {content[0], content[4096], content[8192]}).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 16_384, 65_536})
    void shouldExpectWhatTheClientInCSends(int pageSize) {
        byte[] content = new byte[100_000];
        Arrays.fill(content, Pattern.FILL);
        for (int i = 0; i < content.length; i += pageSize) {
            content[i] = 0;
        }

        assertThat(Pattern.isExpected(content, 17)).isTrue();
    }

    @Test
    void shouldExpectItsOwnContentOfTheSameRoundOnly() {
        assertThat(Pattern.isExpected(content(SIZE, 17), 17)).isTrue();
        assertThat(Pattern.isExpected(content(SIZE, 16), 17)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 4096, SIZE - 1})
    void shouldSeeOneWrongByte(int place) {
        byte[] content = content(SIZE, 17);
        content[place] ^= 4;

        assertThat(Pattern.isExpected(content, 17)).isFalse();
        assertThat(Pattern.explain(content, 17)).startsWith("byte " + place + " ");
    }

    @Test
    void shouldSeeContentOfAnotherPlace() {
        byte[] content = content(SIZE, 17);
        System.arraycopy(content, 1025, content, 2049, 1023);

        assertThat(Pattern.isExpected(content, 17)).isFalse();
    }

    @Test
    void shouldNameTheOptionWhenTheOtherSideDoesNotFillForChecking() {
        byte[] content = new byte[SIZE];
        Arrays.fill(content, Pattern.FILL);

        assertThat(Pattern.explain(content, 17)).contains("-c");
    }

    private static byte[] content(int size, int round) {
        byte[] content = new byte[size];
        Pattern.fill(content, round);
        return content;
    }
}
