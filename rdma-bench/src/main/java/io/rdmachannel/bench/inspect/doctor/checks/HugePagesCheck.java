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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Huge pages, with which registration is faster and adapters need fewer translations. */
final class HugePagesCheck implements Check {
    private static final String SIZES = "/sys/kernel/mm/hugepages";
    private static final String TRANSPARENT = "/sys/kernel/mm/transparent_hugepage/enabled";
    private static final String NODES = "/sys/devices/system/node";
    private static final Pattern SIZE = Pattern.compile("hugepages-(\\d+)kB");
    private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)]");
    private static final long KIBIBYTE = 1024;

    @Override
    public String name() {
        return "huge pages";
    }

    @Override
    public Finding run(Environment environment) {
        SystemTree files = environment.files();
        Finding finding = transparent(files);
        for (String size : files.list(SIZES)) {
            Matcher matcher = SIZE.matcher(size);
            if (matcher.matches()) {
                finding = finding.and(Status.OK, reserved(files, size, Long.parseLong(matcher.group(1)) * KIBIBYTE));
            }
        }
        return finding;
    }

    private static Finding transparent(SystemTree files) {
        Matcher matcher = CHOSEN.matcher(files.read(TRANSPARENT).orElse(""));
        String chosen = matcher.find() ? matcher.group(1) : "not there";
        String seen = "transparent huge pages: " + chosen;
        return chosen.equals("always") || chosen.equals("madvise")
                ? Finding.of(Status.OK, seen)
                : Finding.of(
                        Status.WARNING,
                        seen + "; HugePages.TRANSPARENT of a pool has no effect",
                        new Remedy("let programs ask for them", "echo madvise > " + TRANSPARENT),
                        new Remedy(
                                "or reserve 2 MiB pages for HugePages.EXPLICIT_2_MIB",
                                "sysctl vm.nr_hugepages=NUMBER"));
    }

    private static String reserved(SystemTree files, String size, long bytes) {
        List<String> nodes = new ArrayList<>();
        for (String node : files.list(NODES)) {
            String here = NODES + "/" + node + "/hugepages/" + size;
            if (files.exists(here)) {
                nodes.add(node + " " + number(files, here + "/free_hugepages") + " of "
                        + number(files, here + "/nr_hugepages"));
            }
        }
        String here = SIZES + "/" + size;
        return "pages of " + Quantity.bytes(bytes) + ": " + number(files, here + "/free_hugepages") + " free of "
                + number(files, here + "/nr_hugepages")
                + (nodes.size() < 2 ? "" : " (" + String.join(", ", nodes) + ")");
    }

    private static String number(SystemTree files, String path) {
        return files.read(path).orElse("?");
    }
}
