// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.Gid;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What each side tells the other, as the text that {@code ibv_rc_pingpong} exchanges:
 * {@code LID:QPN:PSN:GID} in hexadecimal digits of fixed width.
 *
 * @param lid the port's address in an InfiniBand subnet, 16 bits; 0 on Ethernet
 * @param queuePairNumber 24 bits
 * @param packetSequenceNumber 24 bits, of the first packet that this side sends
 * @param gid the port's global address; zero when the side uses none
 */
record ExchangeLine(int lid, int queuePairNumber, int packetSequenceNumber, Gid gid) {
    /** The GID of a side that uses none. */
    static final Gid NO_GID = Gid.of(new byte[Gid.BYTES]);

    /** How many characters the text has. */
    static final int LENGTH = "0000:000000:000000:".length() + 2 * Gid.BYTES;

    private static final int HEXADECIMAL = 16;
    private static final Pattern FORM =
            Pattern.compile("(\\p{XDigit}{4}):(\\p{XDigit}{6}):(\\p{XDigit}{6}):(\\p{XDigit}{32})");
    private static final int QUOTED_MAX = 60;

    static ExchangeLine parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new PingPongException("the other side sent \"" + printable(text)
                    + "\" instead of its address (LID:QPN:PSN:GID); is it ibv_rc_pingpong or this program?");
        }
        return new ExchangeLine(number(parts, 1), number(parts, 2), number(parts, 3), Gid.parse(parts.group(4)));
    }

    String format() {
        return String.format(
                Locale.ROOT, "%04x:%06x:%06x:%s", lid, queuePairNumber, packetSequenceNumber, gid.wireFormat());
    }

    /** The line for people, the same as C prints. */
    String describe() {
        return String.format(
                Locale.ROOT,
                "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s",
                lid,
                queuePairNumber,
                packetSequenceNumber,
                gid);
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group), HEXADECIMAL);
    }

    private static String printable(String text) {
        String visible = text.replaceAll("[^\\x20-\\x7e]", ".");
        return visible.length() <= QUOTED_MAX ? visible : visible.substring(0, QUOTED_MAX) + "...";
    }
}
