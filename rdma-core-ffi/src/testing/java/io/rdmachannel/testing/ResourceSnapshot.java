// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is held at one moment.
 *
 * @param devices the lines of {@code rdma resource show}: per device the numbers of queue pairs, completion queues, ...
 * @param files the open files of this process: how many of each kind, by what they lead to
 */
public record ResourceSnapshot(List<String> devices, Map<String, Integer> files) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern NUMBERED = Pattern.compile("(socket|pipe):\\[\\d+]");

    /** Class loading and random numbers open these at any time, and keep them. */
    private static final Pattern STABLE = Pattern.compile(".*\\.(jar|jmod|jsa|so[.0-9]*)|.*/lib/modules|/dev/u?random"
            + "|/proc/.*|/sys/.*|/dev/null|.*\\.(log|txt|xml|tmp)");

    private static final List<String> KINDS = List.of("qp", "cq", "mr", "pd", "ctx", "srq", "cm_id");

    /** Takes one. */
    public static ResourceSnapshot take() {
        return new ResourceSnapshot(objects(), openFiles());
    }

    /** Lists every RDMA object that there is. */
    public static String details() {
        StringBuilder all = new StringBuilder();
        for (String kind : KINDS) {
            all.append(kind)
                    .append(":\n")
                    .append(Shell.tryRun("rdma", "resource", "show", kind).output());
        }
        return all.toString();
    }

    /** Says whether the devices hold the same as in the other, and the process has no file open that it had not. */
    public boolean isBackTo(ResourceSnapshot before) {
        return devices.equals(before.devices)
                && files.entrySet().stream()
                        .allMatch(file -> file.getValue() <= before.files.getOrDefault(file.getKey(), 0));
    }

    @Override
    public String toString() {
        return String.join("\n", devices) + "\nopen files: " + files;
    }

    private static List<String> objects() {
        return LoopbackVerbs.isInUse()
                ? List.of(LoopbackFaults.live().toString())
                : Shell.run("rdma", "resource", "show")
                        .lines()
                        .map(String::strip)
                        .toList();
    }

    private static Map<String, Integer> openFiles() {
        Map<String, Integer> kinds = new TreeMap<>();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            descriptors.forEach(descriptor -> count(kinds, descriptor));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return kinds;
    }

    private static void count(Map<String, Integer> kinds, Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            if (!STABLE.matcher(target).matches()) {
                kinds.merge(NUMBERED.matcher(target).replaceAll("$1"), 1, Integer::sum);
            }
        } catch (IOException ignored) {
            // Closed since it was listed, as the one that lists is.
        }
    }
}
