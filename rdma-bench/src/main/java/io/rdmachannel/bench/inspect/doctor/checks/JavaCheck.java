// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.util.Optional;

/** The Java machine: its version, and whether it may call native code. */
final class JavaCheck implements Check {
    @Override
    public String name() {
        return "java";
    }

    @Override
    public Finding run(Environment environment) {
        String version = "Java " + Runtime.version() + " of " + System.getProperty("java.home");
        Optional<String> refused = environment.library().nativeAccessProblem();
        if (refused.isPresent()) {
            return Finding.of(Status.OK, version)
                    .and(
                            Status.PROBLEM,
                            refused.get(),
                            new Remedy(
                                    "start your program so; io.rdmachannel.ffi instead when it runs from the module"
                                            + " path",
                                    "java --enable-native-access=ALL-UNNAMED"));
        }
        return Finding.of(Status.OK, version)
                .and(
                        Status.OK,
                        "native access is enabled here; your own program needs --enable-native-access for itself");
    }
}
