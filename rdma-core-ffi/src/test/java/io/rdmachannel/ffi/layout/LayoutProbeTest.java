// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Believes no generated layout or constant: a C program, compiled against the installed headers, has to agree. */
class LayoutProbeTest {
    private final Path root = RepositoryRoot.find();

    @ParameterizedTest
    @EnumSource
    void shouldAgreeWithTheInstalledHeaders(ProbedLibrary library) throws IOException, InterruptedException {
        Toolchain.demand(new Toolchain(root).problem(library), Toolchain.isRequired());
        List<Fact> facts = GeneratedPackage.of(root, library).facts();
        ProbeProgram program = new ProbeProgram(library, facts);

        List<String> mismatches = LayoutChecker.mismatches(facts, new ProbeRunner(root, "layout-probe").run(program));

        assertThat(mismatches)
                .withFailMessage(() -> LayoutChecker.report(mismatches))
                .isEmpty();
    }

    /** jextract drops a symbol that the headers do not have without a word. */
    @ParameterizedTest
    @EnumSource
    void shouldHaveExactlyTheListedSymbols(ProbedLibrary library) throws IOException {
        GeneratedPackage generated = GeneratedPackage.of(root, library);
        SymbolList symbols = generated.symbols();

        assertSame(generated.structNames(), symbols.types().keySet(), "structures", library);
        assertSame(generated.constantNames(), symbols.constants(), "constants", library);
        assertSame(generated.functionNames(), symbols.functions(), "functions", library);
    }

    private static void assertSame(Set<String> generated, Set<String> listed, String what, ProbedLibrary library) {
        assertThat(generated)
                .as("generated %s of %s, against %s; %s", what, library, library.symbolFiles(), LayoutChecker.REMEDY)
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    /** A bit-field has no offset in C, and jextract gives it no accessor: it would need a test of its own. */
    @ParameterizedTest
    @EnumSource
    void shouldHaveNoBitFields(ProbedLibrary library) throws IOException {
        for (Path source : GeneratedPackage.of(root, library).sources()) {
            assertThat(BitFields.in(Files.readString(source)))
                    .as("bit-fields in %s", source.getFileName())
                    .isEmpty();
        }
    }

    @Test
    void shouldRecognizeABitField() {
        assertThat(BitFields.in(" *     int a;\n *     unsigned int b : 3;\n *     int d;\n"))
                .containsExactly("b : 3;");
    }

    @Test
    void shouldMakeExceptionsOnlyForTypesThatExist() throws IOException {
        Set<String> structs = GeneratedPackage.of(root, ProbedLibrary.IBVERBS).structNames();

        assertThat(structs).containsAll(OpaqueTypes.CLOSED).containsAll(OpaqueTypes.INSIDES);
        assertThat(structs).containsAll(Growth.growingTypes());
    }
}
