// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class ToolchainTest {
    @TempDir
    private Path headers;

    @Test
    void shouldNameThePackageOfAMissingCompiler() throws InterruptedException {
        Toolchain toolchain = new Toolchain(headers.resolve("gcc").toString(), headers);

        assertThat(toolchain.problem(ProbedLibrary.IBVERBS))
                .hasValueSatisfying(text -> assertThat(text).contains("apt-get install gcc libc6-dev libibverbs-dev"));
    }

    @Test
    void shouldNameThePackageOfAMissingHeader() throws IOException, InterruptedException {
        Toolchain.demand(new Toolchain(RepositoryRoot.find()).problem(ProbedLibrary.LIBC), Toolchain.isRequired());
        Files.writeString(headers.resolve("some-umbrella.h"), "#include <infiniband/no_such_header.h>\n");

        assertThat(new Toolchain(Toolchain.COMPILER, headers).problem("some-umbrella.h", "libsome-dev"))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("apt-get install gcc libc6-dev libsome-dev", "infiniband/no_such_header.h"));
    }

    @Test
    void shouldSkipWithTheReasonWhereTheToolchainIsOptional() {
        assertThatThrownBy(() -> Toolchain.demand(Optional.of("no gcc"), false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("no gcc");
    }

    @Test
    void shouldFailWithTheReasonWhereTheToolchainIsRequired() {
        assertThatThrownBy(() -> Toolchain.demand(Optional.of("no gcc"), true))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("no gcc");
    }

    @Test
    void shouldGoOnWhenNothingIsMissing() {
        assertThatCode(() -> Toolchain.demand(Optional.empty(), true)).doesNotThrowAnyException();
    }
}
