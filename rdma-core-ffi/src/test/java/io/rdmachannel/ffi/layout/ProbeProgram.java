// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The C program that measures facts. It prints each expression once, with its value behind a tab. */
final class ProbeProgram {
    private final String name;
    private final String umbrellaHeader;
    private final Set<String> expressions = new LinkedHashSet<>();

    ProbeProgram(ProbedLibrary library, Collection<Fact> facts) {
        this(library.stem(), library.umbrellaHeader(), facts);
    }

    ProbeProgram(String name, String umbrellaHeader, Collection<Fact> facts) {
        this.name = name;
        this.umbrellaHeader = umbrellaHeader;
        facts.forEach(fact -> expressions.add(fact.expression()));
    }

    String name() {
        return name;
    }

    String source() {
        StringBuilder source =
                new StringBuilder("/* Written by a test; see native-headers/layout-probe/README.md. */\n");
        source.append("#include \"").append(umbrellaHeader).append("\"\n#include \"probe.h\"\n\n");
        source.append("int main(void)\n{\n");
        expressions.forEach(
                expression -> source.append("\tPROBE(").append(expression).append(");\n"));
        return source.append("\treturn 0;\n}\n").toString();
    }
}
