// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes of messages as users write them: 64, 4k (4096), 1m (1048576). */
public final class MessageSize implements ITypeConverter<Integer> {
    /** The largest: the longest message of a channel with its usual settings. */
    public static final int MAX = 64 << 20;

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})([km]?)");
    private static final int KIBI_SHIFT = 10;
    private static final int MEBI_SHIFT = 20;
    private static final int ALL_LAST_SHIFT = 23;

    /**
     * Reads a size.
     *
     * @param text digits, with k or m for 1024 and 1048576 of them
     * @return bytes, 1 to {@link #MAX}
     * @throws IllegalArgumentException if it is none, or out of range
     */
    public static int parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no size; 64, 4k (4096) and 1m (1048576) would be, for example");
        }
        int shift = switch (matcher.group(2)) {
            case "k" -> KIBI_SHIFT;
            case "m" -> MEBI_SHIFT;
            default -> 0;
        };
        long bytes = Long.parseLong(matcher.group(1)) << shift;
        if (bytes < 1 || bytes > MAX) {
            throw new IllegalArgumentException("a size of " + bytes + " bytes; 1 to " + MAX
                    + " are possible, the longest message of a channel with its usual settings");
        }
        return (int) bytes;
    }

    /**
     * Lists perftest's sizes.
     *
     * @return 2 bytes to 8 MiB, each twice the one before
     */
    public static int[] all() {
        return IntStream.rangeClosed(1, ALL_LAST_SHIFT).map(shift -> 1 << shift).toArray();
    }

    @Override
    public Integer convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
