// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.util.List;
import java.util.Optional;

/** Opens each device for a moment: it shows what files do not, such as a cgroup that forbids the device. */
final class OpeningCheck implements Check {
    @Override
    public String name() {
        return "opening";
    }

    @Override
    public Finding run(Environment environment) {
        if (environment.library().verbsProblem().isPresent()) {
            return Finding.of(Status.NOT_APPLICABLE, "without libibverbs no device can be opened");
        }
        List<String> devices = environment.library().devices();
        Finding finding = Finding.nothing();
        for (String device : devices) {
            Optional<String> problem = environment.library().openingProblem(device);
            finding = problem.isEmpty()
                    ? finding.and(Status.OK, device + " can be opened")
                    : finding.and(Status.PROBLEM, problem.get(), remedy());
        }
        return devices.isEmpty() ? finding.and(Status.NOT_APPLICABLE, "libibverbs offers no device to open") : finding;
    }

    private static Remedy remedy() {
        return new Remedy(
                "see the check 'device nodes' (libibverbs says ENOENT also where a right is missing); if that is OK, a"
                        + " container's device rules forbid it",
                "docker run --device=/dev/infiniband IMAGE");
    }
}
