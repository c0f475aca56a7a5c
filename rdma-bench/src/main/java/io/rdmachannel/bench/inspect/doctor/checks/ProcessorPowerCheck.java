// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Settings that save power, each of which costs microseconds: clock governors and deep idle states. */
final class ProcessorPowerCheck implements Check {
    private static final String PROCESSORS = "/sys/devices/system/cpu";
    private static final int LONG_MICROSECONDS = 10;

    @Override
    public String name() {
        return "processor power";
    }

    @Override
    public Finding run(Environment environment) {
        Finding finding = governors(environment.files()).and(idleStates(environment.files()));
        return finding.seen().isEmpty()
                ? finding.and(
                        Status.NOT_APPLICABLE,
                        "the kernel does not control clocks and idle states, as in most virtual machines")
                : finding;
    }

    private static Finding governors(SystemTree files) {
        Set<String> governors = new TreeSet<>();
        for (String processor : files.list(PROCESSORS)) {
            if (processor.matches("cpu\\d+")) {
                files.read(PROCESSORS + "/" + processor + "/cpufreq/scaling_governor")
                        .ifPresent(governors::add);
            }
        }
        if (governors.isEmpty()) {
            return Finding.nothing();
        }
        return governors.equals(Set.of("performance"))
                ? Finding.of(Status.OK, "clock governor: performance")
                : Finding.of(
                        Status.WARNING,
                        "clock governor: " + String.join(", ", governors),
                        new Remedy("for low latency", "cpupower frequency-set -g performance"));
    }

    private static Finding idleStates(SystemTree files) {
        String here = PROCESSORS + "/cpu0/cpuidle";
        List<String> deep = new ArrayList<>();
        for (String state : files.list(here)) {
            int latency = files.read(here + "/" + state + "/latency")
                    .filter(text -> text.matches("\\d{1,9}"))
                    .map(Integer::parseInt)
                    .orElse(0);
            boolean enabled =
                    !files.read(here + "/" + state + "/disable").orElse("0").equals("1");
            if (enabled && latency >= LONG_MICROSECONDS) {
                deep.add(files.read(here + "/" + state + "/name").orElse(state) + " " + latency + " µs");
            }
        }
        if (files.list(here).isEmpty()) {
            return Finding.nothing();
        }
        return deep.isEmpty()
                ? Finding.of(Status.OK, "no idle state takes " + LONG_MICROSECONDS + " µs or more to wake from")
                : Finding.of(
                        Status.WARNING,
                        "idle states that take long to wake from: " + String.join(", ", deep)
                                + "; it matters to pollers that sleep (EVENT, ADAPTIVE)",
                        new Remedy("for low latency", "cpupower idle-set -D " + LONG_MICROSECONDS));
    }
}
