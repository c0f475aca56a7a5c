// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reviewed symbols of one library, as native-headers/symbols lists them for jextract. */
final class SymbolList {
    private static final Pattern ENTRY = Pattern.compile("--include-(\\w+) (\\w+)");
    private static final Map<String, String> TYPE_PREFIXES =
            Map.of("struct", "struct ", "union", "union ", "typedef", "");

    private final SortedMap<String, String> types = new TreeMap<>();
    private final Set<String> constants = new TreeSet<>();
    private final Set<String> functions = new TreeSet<>();

    private SymbolList() {}

    static SymbolList of(Path root, ProbedLibrary library) throws IOException {
        SymbolList list = new SymbolList();
        for (String file : library.symbolFiles()) {
            Set<String> seen = new HashSet<>();
            for (String line : Files.readAllLines(root.resolve("native-headers/symbols/" + file))) {
                list.add(file, line.strip(), seen);
            }
        }
        return list;
    }

    private void add(String file, String line, Set<String> seen) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        Matcher entry = ENTRY.matcher(line);
        if (!entry.matches() || !seen.add(line)) {
            throw new AssertionError(file + ": a line that is no entry, or stands twice: " + line);
        }
        add(entry.group(1), entry.group(2));
    }

    private void add(String kind, String name) {
        if (TYPE_PREFIXES.containsKey(kind)) {
            types.put(name, TYPE_PREFIXES.get(kind) + name);
        } else if (kind.equals("constant")) {
            constants.add(name);
        } else if (kind.equals("function")) {
            functions.add(name);
        } else {
            throw new AssertionError("a kind of symbol that no test knows: --include-" + kind + " " + name);
        }
    }

    /** From the name of the generated class to the type's name in C: a typedef has no tag. */
    SortedMap<String, String> types() {
        return types;
    }

    Set<String> constants() {
        return constants;
    }

    Set<String> functions() {
        return functions;
    }
}
