// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds bit-fields, which jextract leaves out of the layout and shows only in the C declaration above the class. */
final class BitFields {
    private static final Pattern DECLARATION = Pattern.compile("\\w+\\s*:\\s*\\d+;$", Pattern.MULTILINE);

    private BitFields() {}

    static List<String> in(String source) {
        return DECLARATION.matcher(source).results().map(MatchResult::group).toList();
    }
}
