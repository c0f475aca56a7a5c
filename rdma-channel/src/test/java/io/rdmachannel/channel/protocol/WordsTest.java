// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer's words stay one line. */
class WordsTest {
    private static final String SAID = "no%smemory: größer";
    private static final String LINE = "no memory: größer";

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\t", "\u0000", "\u001b", "\u007f", "\u0085", "\u2028", "\u2029"})
    void shouldPutASpaceForEachCharacterThatIsNone(String character) {
        String said = SAID.formatted(character);
        Fields fields = new Fields().put(Fields.Tag.REASON, said);
        assertThat(Fields.decode(fields.encode()).text(Fields.Tag.REASON)).isEqualTo(LINE);
        assertThat(PrivateHello.sentence(PrivateHello.encodeRefusal(false, said)))
                .isEqualTo(LINE);
        assertThat(new ProtocolException("region " + said)).hasMessage("region " + LINE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "größer 你好 😀"})
    void shouldLeaveEverythingElseAsItIs(String said) {
        byte[] bytes = said.getBytes(StandardCharsets.UTF_8);
        assertThat(Words.printable(new String(bytes, StandardCharsets.UTF_8))).isEqualTo(said);
    }
}
