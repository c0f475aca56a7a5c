// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldsTest {
    @Test
    void shouldGiveTextsThatCannotEndALineOrSteerATerminal() {
        String hostile = "fine\r\n2026 ERROR forged \u001b[31m\u2028\u202edone \u00fcber";
        Fields fields =
                Fields.decode(new Fields().put(Fields.Tag.REASON, hostile).encode());
        assertThat(fields.text(Fields.Tag.REASON)).isEqualTo("fine  2026 ERROR forged  [31m  done \u00fcber");
    }
}
