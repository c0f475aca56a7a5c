// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import java.util.List;

/**
 * What all checks found.
 *
 * @param checks a result for each check, in the order in which they build on each other
 */
public record Diagnosis(List<Result> checks) {
    /** Copies the list. */
    public Diagnosis {
        checks = List.copyOf(checks);
    }

    /**
     * What one check found.
     *
     * @param name the check
     * @param finding what it found
     */
    public record Result(String name, Finding finding) {}

    /**
     * Gives the worst status.
     *
     * @return PROBLEM if RDMA does not work
     */
    public Status status() {
        return checks.stream()
                .map(result -> result.finding().status())
                .max(Status::compareTo)
                .orElse(Status.OK);
    }

    /**
     * Counts the checks that ended in one way.
     *
     * @param status how
     * @return how many
     */
    public long count(Status status) {
        return checks.stream()
                .filter(result -> result.finding().status() == status)
                .count();
    }
}
