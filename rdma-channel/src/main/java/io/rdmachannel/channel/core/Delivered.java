// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;

/**
 * What one side has handled of the other's work when its link is closed: from there the other side goes on.
 *
 * @param messages how many messages have been handled
 * @param immediates how many writes with immediate have been told
 */
record Delivered(long messages, long immediates) {
    /** Reads what the peer says. */
    static Delivered from(Fields fields) {
        return new Delivered(
                fields.number(Tag.MESSAGES_HANDLED, 8, 0, Long.MAX_VALUE),
                fields.number(Tag.IMMEDIATES_TOLD, 8, 0, Long.MAX_VALUE));
    }

    Fields fields() {
        return new Fields().put(Tag.MESSAGES_HANDLED, 8, messages).put(Tag.IMMEDIATES_TOLD, 8, immediates);
    }
}
