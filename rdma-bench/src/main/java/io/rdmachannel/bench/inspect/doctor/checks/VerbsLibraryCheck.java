// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.util.Optional;

/** The verbs library, without which there is no RDMA. */
final class VerbsLibraryCheck implements Check {
    @Override
    public String name() {
        return "libibverbs";
    }

    @Override
    public Finding run(Environment environment) {
        Optional<String> problem = environment.library().verbsProblem();
        if (problem.isPresent()) {
            return Finding.of(
                    Status.PROBLEM,
                    problem.get(),
                    Packages.install(environment.files(), "libibverbs1 ibverbs-providers", "libibverbs"));
        }
        String loaded = LibraryVersion.of(environment.files(), "libibverbs.so.1")
                .map(LibraryVersion::toString)
                .orElse("libibverbs.so.1, whose version cannot be told");
        return Finding.of(Status.OK, loaded);
    }
}
