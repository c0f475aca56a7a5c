// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a check found.
 *
 * @param status the worst of what it saw
 * @param seen what it saw, a sentence each
 * @param remedies what to do; may be empty
 */
public record Finding(Status status, List<String> seen, List<Remedy> remedies) {
    /** Copies the lists. */
    public Finding {
        Objects.requireNonNull(status, "status");
        seen = List.copyOf(seen);
        remedies = List.copyOf(remedies);
    }

    /**
     * Starts without having seen anything; {@link #and} adds to it.
     *
     * @return an empty finding, not applicable
     */
    public static Finding nothing() {
        return new Finding(Status.NOT_APPLICABLE, List.of(), List.of());
    }

    /**
     * Makes a finding of one sentence.
     *
     * @param status how it is
     * @param seen what was seen
     * @param remedies what to do
     * @return the finding
     */
    public static Finding of(Status status, String seen, Remedy... remedies) {
        return new Finding(status, List.of(seen), List.of(remedies));
    }

    /**
     * Adds what was seen of one more device, port or file.
     *
     * @param other how that is
     * @param sentence what was seen
     * @param more what to do; a remedy that is there already is not repeated
     * @return the longer finding, with the worse status of both
     */
    public Finding and(Status other, String sentence, Remedy... more) {
        return and(of(other, sentence, more));
    }

    /**
     * Adds another finding.
     *
     * @param other the other one
     * @return both, with the worse status
     */
    public Finding and(Finding other) {
        List<String> sentences = new ArrayList<>(seen);
        sentences.addAll(other.seen);
        List<Remedy> all = new ArrayList<>(remedies);
        other.remedies.stream().filter(remedy -> !all.contains(remedy)).forEach(all::add);
        return new Finding(status.compareTo(other.status) >= 0 ? status : other.status, sentences, all);
    }
}
