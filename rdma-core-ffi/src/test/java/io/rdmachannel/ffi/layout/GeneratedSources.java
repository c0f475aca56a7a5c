// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Compares what generate.sh read and wrote with the checksums that it left. */
final class GeneratedSources {
    static final String REMEDY = "Run native-headers/generate.sh, which needs jextract, and commit what it writes."
            + " Edit the lists or the umbrella headers, never the generated code.";

    private static final String CHECKSUMS = "native-headers/checksums.sha256";
    private static final String HEADERS = "native-headers";
    private static final List<String> TREES = List.of("native-headers/symbols", "rdma-core-ffi/src/generated/java");
    private static final Pattern ENTRY = Pattern.compile("([0-9a-f]{64})  (\\S+)");

    private final Path root;
    private final List<String> problems = new ArrayList<>();

    private GeneratedSources(Path root) {
        this.root = root;
    }

    /** Gives one sentence for each file that is not as it was generated, none when all are. */
    static List<String> problems(Path root) throws IOException {
        GeneratedSources sources = new GeneratedSources(root);
        sources.compare();
        return sources.problems;
    }

    static String report(List<String> problems) {
        return "Generated code, or what it was generated from, has changed alone:\n  " + String.join("\n  ", problems)
                + "\n" + REMEDY;
    }

    private void compare() throws IOException {
        SortedMap<String, String> listed = listed();
        SortedSet<String> present = present();
        for (String file : present) {
            if (!listed.containsKey(file)) {
                problems.add(file + ": not in " + CHECKSUMS);
            } else if (!listed.get(file).equals(checksum(root.resolve(file)))) {
                problems.add(file + ": its content is not the one in " + CHECKSUMS);
            }
        }
        listed.keySet().stream()
                .filter(file -> !present.contains(file))
                .forEach(file -> problems.add(file + ": missing, but in " + CHECKSUMS));
    }

    /** From the file, relative to the root, to its checksum. */
    private SortedMap<String, String> listed() throws IOException {
        SortedMap<String, String> listed = new TreeMap<>();
        Path file = root.resolve(CHECKSUMS);
        if (!Files.exists(file)) {
            problems.add(CHECKSUMS + ": missing");
            return listed;
        }
        for (String line : Files.readAllLines(file)) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                listed.put(relative(root.resolve(HEADERS).resolve(entry.group(2))), entry.group(1));
            } else if (!line.startsWith("#")) {
                problems.add(CHECKSUMS + ": a line that is no checksum: " + line);
            }
        }
        return listed;
    }

    private SortedSet<String> present() throws IOException {
        SortedSet<String> present = new TreeSet<>();
        present.add(RepositoryRoot.GENERATE);
        try (Stream<Path> headers = Files.list(root.resolve(HEADERS))) {
            headers.filter(file -> file.toString().endsWith(".h")).forEach(file -> present.add(relative(file)));
        }
        for (String tree : TREES) {
            try (Stream<Path> files = Files.walk(root.resolve(tree))) {
                files.filter(Files::isRegularFile).forEach(file -> present.add(relative(file)));
            }
        }
        return present;
    }

    private String relative(Path file) {
        return root.relativize(file.normalize()).toString();
    }

    private static String checksum(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
