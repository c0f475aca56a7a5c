// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.rdmachannel.channel.CompletionMode;
import java.util.Locale;

/** What both sides do while they wait for each other. */
public enum PollMode {
    /** Look again at once. */
    BUSY(CompletionMode.BUSY_POLL),
    /** Sleep until the kernel wakes them. */
    EVENT(CompletionMode.EVENT),
    /** Look again for 50 µs, then sleep. */
    ADAPTIVE(CompletionMode.ADAPTIVE);

    private final CompletionMode completionMode;

    PollMode(CompletionMode completionMode) {
        this.completionMode = completionMode;
    }

    /**
     * Finds a mode by its name.
     *
     * @param label as in {@link #label()}
     * @return the mode
     */
    @JsonCreator
    public static PollMode of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }

    /**
     * Gives the name.
     *
     * @return in small letters
     */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Gives the mode of a poller.
     *
     * @return the mode
     */
    public CompletionMode completionMode() {
        return completionMode;
    }

    @Override
    public String toString() {
        return label();
    }
}
