// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import io.rdmachannel.bench.inspect.doctor.Diagnosis;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.util.List;

/**
 * What {@code doctor} writes as JSON.
 *
 * @param status the worst status of all checks
 * @param problems how many checks ended with PROBLEM
 * @param warnings how many ended with WARNING
 * @param checks the checks
 */
record DoctorReport(Status status, long problems, long warnings, List<Entry> checks) {
    /**
     * One check.
     *
     * @param name the check's name
     * @param status how it ended
     * @param seen what it saw, a sentence each
     * @param remedies what to do
     */
    record Entry(String name, Status status, List<String> seen, List<Remedy> remedies) {}

    static DoctorReport of(Diagnosis diagnosis) {
        List<Entry> entries = diagnosis.checks().stream()
                .map(result -> new Entry(
                        result.name(),
                        result.finding().status(),
                        result.finding().seen(),
                        result.finding().remedies()))
                .toList();
        return new DoctorReport(
                diagnosis.status(), diagnosis.count(Status.PROBLEM), diagnosis.count(Status.WARNING), entries);
    }
}
