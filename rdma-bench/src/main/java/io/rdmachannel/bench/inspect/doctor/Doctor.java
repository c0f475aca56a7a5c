// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import java.util.List;

/** Runs checks one after the other. A check that fails by itself is a finding, too. */
public final class Doctor {
    private final List<Check> checks;

    /**
     * Makes a doctor.
     *
     * @param checks what it looks at
     */
    public Doctor(List<Check> checks) {
        this.checks = List.copyOf(checks);
    }

    /**
     * Looks at a machine. Takes as long as the commands that checks run, each of which has a deadline.
     *
     * @param environment the machine
     * @return what was found
     */
    public Diagnosis examine(Environment environment) {
        return new Diagnosis(checks.stream()
                .map(check -> new Diagnosis.Result(check.name(), run(check, environment)))
                .toList());
    }

    private static Finding run(Check check, Environment environment) {
        try {
            return check.run(environment);
        } catch (Exception | LinkageError failure) {
            return Finding.of(Status.UNKNOWN, "the check itself failed: " + failure);
        }
    }
}
