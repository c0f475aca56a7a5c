// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SystemTree;
import io.rdmachannel.channel.PollerConfig;
import java.util.Arrays;
import java.util.Optional;

/** Limits of the control group on RDMA objects and on memory, in version 2 or 1. */
final class CgroupsCheck implements Check {
    private static final String ROOT = "/sys/fs/cgroup";
    private static final int FIELDS = 3;

    @Override
    public String name() {
        return "cgroups";
    }

    @Override
    public Finding run(Environment environment) {
        SystemTree files = environment.files();
        Finding finding = rdma(files).and(memory(files));
        return finding.seen().isEmpty()
                ? finding.and(Status.NOT_APPLICABLE, "no control group that is visible here limits RDMA or memory")
                : finding;
    }

    private static Finding rdma(SystemTree files) {
        Optional<String> limits = read(files, "rdma", "rdma.max");
        Finding finding = Finding.nothing();
        for (String line : limits.orElse("").lines().toList()) {
            String device = line.split(" ", 2)[0];
            String used = use(files, device);
            if (isUsedUp(line, used)) {
                finding = finding.and(
                        Status.PROBLEM,
                        "RDMA objects of this control group are used up: limit " + line + "; used" + used,
                        new Remedy(
                                "raise the limit, in the group's directory",
                                "echo '" + device + " hca_handle=max hca_object=max' > rdma.max"));
            } else if (line.matches(".*=\\d+.*")) {
                finding = finding.and(
                        Status.WARNING,
                        "RDMA objects are limited: " + line + "; used" + used
                                + ". Each channel takes a queue pair, each" + " poller some objects",
                        new Remedy(
                                "if that is too few: in the group's directory",
                                "echo '" + device + " hca_handle=max hca_object=max' > rdma.max"));
            } else {
                finding = finding.and(Status.OK, "RDMA objects are not limited: " + line);
            }
        }
        return finding;
    }

    private static String use(SystemTree files, String device) {
        return read(files, "rdma", "rdma.current")
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith(device + " "))
                        .findFirst())
                .map(line -> line.substring(device.length()))
                .orElse(" unknown");
    }

    private static boolean isUsedUp(String limits, String used) {
        for (String limit : limits.split(" ")) {
            String[] pair = limit.split("=");
            if (pair.length == 2 && pair[1].matches("\\d+")) {
                boolean reached = Arrays.stream(used.split(" "))
                        .filter(use -> use.startsWith(pair[0] + "="))
                        .anyMatch(
                                use -> Long.parseLong(use.substring(pair[0].length() + 1)) >= Long.parseLong(pair[1]));
                if (reached) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Finding memory(SystemTree files) {
        Optional<Long> limit = read(files, "memory", "memory.max")
                .or(() -> read(files, "memory", "memory.limit_in_bytes"))
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong);
        if (limit.isEmpty()) {
            return Finding.nothing();
        }
        long used = read(files, "memory", "memory.current")
                .or(() -> read(files, "memory", "memory.usage_in_bytes"))
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
        String seen = "memory is limited to " + Quantity.bytes(limit.get()) + ", of which " + Quantity.bytes(used)
                + " are used";
        PollerConfig poller = PollerConfig.of("doctor");
        return limit.get() < poller.poolMaxBytes()
                ? Finding.of(
                        Status.WARNING,
                        seen + "; a poller's pool may grow to " + Quantity.bytes(poller.poolMaxBytes())
                                + " outside the heap",
                        new Remedy("bound the pool, or raise the limit", "PollerConfig.withPool(BYTES, MAX_BYTES)"))
                : Finding.of(Status.OK, seen);
    }

    /** Looks where version 2 has the file, then version 1; within a container the group's root is the group itself. */
    private static Optional<String> read(SystemTree files, String controller, String file) {
        for (String line : files.lines("/proc/self/cgroup")) {
            String[] fields = line.split(":", FIELDS);
            if (fields.length == FIELDS) {
                boolean unified = fields[1].isEmpty();
                if (unified || Arrays.asList(fields[1].split(",")).contains(controller)) {
                    String base = unified ? ROOT : ROOT + "/" + controller;
                    Optional<String> text = files.read(base + fields[2].replaceAll("/$", "") + "/" + file)
                            .or(() -> files.read(base + "/" + file));
                    if (text.isPresent()) {
                        return text;
                    }
                }
            }
        }
        return Optional.empty();
    }
}
