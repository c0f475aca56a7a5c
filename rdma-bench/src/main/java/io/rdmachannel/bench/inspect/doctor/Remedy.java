// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import java.util.Objects;

/**
 * What to do about a finding.
 *
 * @param text when or why to do it, in words
 * @param command a command line or a setting that can be copied; upper-case words in it stand for what only the user
 *     knows. Null when words must do
 */
public record Remedy(String text, String command) {
    /** Checks that there are words. */
    public Remedy {
        Objects.requireNonNull(text, "text");
    }
}
