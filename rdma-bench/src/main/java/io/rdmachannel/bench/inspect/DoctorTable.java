// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import io.rdmachannel.bench.inspect.doctor.Remedy;
import java.io.PrintWriter;
import java.util.List;

/** What {@code doctor} writes for people. Lines are not broken, so that commands can be copied. */
final class DoctorTable {
    private static final String FORM = "%-8s %-16s %s%n";

    private DoctorTable() {}

    static void write(DoctorReport report, PrintWriter out) {
        for (DoctorReport.Entry check : report.checks()) {
            List<String> seen = check.seen();
            for (int i = 0; i < seen.size(); i++) {
                out.printf(FORM, i == 0 ? check.status().text() : "", i == 0 ? check.name() : "", seen.get(i));
            }
            check.remedies().forEach(remedy -> out.printf(FORM, "", "", text(remedy)));
        }
        out.println();
        out.println(sum(report));
    }

    private static String text(Remedy remedy) {
        return "  -> " + remedy.text() + (remedy.command() == null ? "" : ": " + remedy.command());
    }

    private static String sum(DoctorReport report) {
        String counts = report.problems()
                + (report.problems() == 1 ? " problem, " : " problems, ")
                + report.warnings()
                + (report.warnings() == 1 ? " warning" : " warnings");
        return report.problems() == 0
                ? counts + ": RDMA can be used."
                : counts + ". Begin with the first problem: it is often the cause of the others.";
    }
}
