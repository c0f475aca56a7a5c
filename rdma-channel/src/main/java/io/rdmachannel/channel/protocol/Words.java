// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import java.util.regex.Pattern;

/** What a peer says for people. */
final class Words {
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    private Words() {}

    /** Puts spaces for control characters and other ends of lines, so that it stays one line wherever it is written. */
    static String printable(String said) {
        return UNPRINTABLE.matcher(said).replaceAll(" ");
    }
}
