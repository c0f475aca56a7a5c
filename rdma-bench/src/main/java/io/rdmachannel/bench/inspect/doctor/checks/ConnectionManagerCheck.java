// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.util.Optional;

/** The connection manager's library, which io.rdmachannel.cm needs and channels do not. */
final class ConnectionManagerCheck implements Check {
    @Override
    public String name() {
        return "librdmacm";
    }

    @Override
    public Finding run(Environment environment) {
        Optional<String> problem = environment.library().connectionManagerProblem();
        if (problem.isPresent()) {
            return Finding.of(
                    Status.WARNING,
                    problem.get() + " Channels do without it; io.rdmachannel.cm does not.",
                    Packages.install(environment.files(), "librdmacm1", "librdmacm"));
        }
        String loaded = LibraryVersion.of(environment.files(), "librdmacm.so.1")
                .map(LibraryVersion::toString)
                .orElse("librdmacm.so.1, whose version cannot be told");
        return Finding.of(Status.OK, loaded);
    }
}
