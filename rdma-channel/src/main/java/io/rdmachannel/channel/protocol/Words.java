// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

/** What a peer says for people. */
final class Words {
    private Words() {}

    /** Puts spaces for control characters and other ends of lines, so that it stays one line wherever it is written. */
    static String printable(String said) {
        StringBuilder line = new StringBuilder(said.length());
        for (int at = 0; at < said.length(); at += Character.charCount(said.codePointAt(at))) {
            int point = said.codePointAt(at);
            line.appendCodePoint(isPrintable(point) ? point : ' ');
        }
        return line.toString();
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
