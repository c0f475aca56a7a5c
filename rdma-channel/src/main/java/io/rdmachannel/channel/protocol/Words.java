// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

/** What a peer says for people. */
final class Words {
    private Words() {}

    /** Puts spaces for control characters and other ends of lines, so that it stays one line wherever it is written. */
    static String printable(String said) {
        return said.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", " ");
    }
}
