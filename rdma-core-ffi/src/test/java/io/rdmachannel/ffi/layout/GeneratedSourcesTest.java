// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody edits generated code by hand, or changes a list without regenerating; and the check that says so works. */
class GeneratedSourcesTest {
    private static final String GENERATED = "rdma-core-ffi/src/generated/java/io/rdmachannel/ffi/generated/";
    private static final String STRUCT = GENERATED + "ibverbs/ibv_wc.java";
    private static final String SYMBOLS = "native-headers/symbols/libc.txt";
    private static final String CHECKSUMS = "native-headers/checksums.sha256";

    @TempDir
    private Path copy;

    @BeforeEach
    void copySources() throws IOException {
        Path root = RepositoryRoot.find();
        for (String tree : List.of("native-headers", "rdma-core-ffi/src/generated")) {
            try (Stream<Path> files = Files.walk(root.resolve(tree))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path target = copy.resolve(root.relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    @Test
    void shouldBeAsGenerated() throws IOException {
        List<String> problems = GeneratedSources.problems(RepositoryRoot.find());

        assertThat(problems)
                .withFailMessage(() -> GeneratedSources.report(problems))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {STRUCT, SYMBOLS, "native-headers/ibverbs-umbrella.h", "native-headers/generate.sh"})
    void shouldFailAfterAChangeByHand(String file) throws IOException {
        Files.writeString(copy.resolve(file), "\n", StandardOpenOption.APPEND);

        assertThat(GeneratedSources.problems(copy))
                .containsExactly(file + ": its content is not the one in " + CHECKSUMS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GENERATED + "ibverbs/ibv_own.java",
                GENERATED + "own/ibv_own.java",
                "native-headers/symbols/own.txt",
                "native-headers/own-umbrella.h"
            })
    void shouldFailOnAFileTooMany(String file) throws IOException {
        Files.createDirectories(copy.resolve(file).getParent());
        Files.createFile(copy.resolve(file));

        assertThat(GeneratedSources.problems(copy)).containsExactly(file + ": not in " + CHECKSUMS);
    }

    @ParameterizedTest
    @ValueSource(strings = {STRUCT, SYMBOLS, "native-headers/libc-umbrella.h"})
    void shouldFailOnAFileTooFew(String file) throws IOException {
        Files.delete(copy.resolve(file));

        assertThat(GeneratedSources.problems(copy)).containsExactly(file + ": missing, but in " + CHECKSUMS);
    }

    @Test
    void shouldFailForEveryFileWithoutChecksums() throws IOException {
        Files.delete(copy.resolve(CHECKSUMS));

        assertThat(GeneratedSources.problems(copy))
                .contains(CHECKSUMS + ": missing", STRUCT + ": not in " + CHECKSUMS, SYMBOLS + ": not in " + CHECKSUMS);
    }

    @Test
    void shouldFailOnALineThatIsNoChecksum() throws IOException {
        Files.writeString(copy.resolve(CHECKSUMS), "<<<<<<< HEAD\n", StandardOpenOption.APPEND);

        assertThat(GeneratedSources.problems(copy))
                .containsExactly(CHECKSUMS + ": a line that is no checksum: <<<<<<< HEAD");
    }

    @Test
    void shouldNameTheFileAndTheCommandThatRegenerates() {
        assertThat(GeneratedSources.report(List.of(STRUCT + ": not in " + CHECKSUMS)))
                .contains(STRUCT, RepositoryRoot.GENERATE, "never the generated code");
    }
}
