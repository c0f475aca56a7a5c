// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The C compiler and the headers that the probe needs: skipped with a reason where absent, except where required. */
final class Toolchain {
    static final String COMPILER = "gcc";
    private static final String REQUIRED_PROPERTY = "rdma.test.requireToolchain";
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final String compiler;
    private final Path headers;

    Toolchain(Path root) {
        this(COMPILER, root.resolve("native-headers"));
    }

    Toolchain(String compiler, Path headers) {
        this.compiler = compiler;
        this.headers = headers;
    }

    static boolean isRequired() {
        String ci = System.getenv().getOrDefault("CI", "false").toLowerCase(Locale.ROOT);
        return Boolean.getBoolean(REQUIRED_PROPERTY) || !(ci.isEmpty() || ci.equals("false"));
    }

    /** Ends the running test when there is a problem: as failed where the toolchain is required, else as skipped. */
    static void demand(Optional<String> problem, boolean required) {
        problem.ifPresent(reason -> {
            if (required) {
                Assertions.fail(reason);
            }
            Assumptions.abort(reason);
        });
    }

    /** What is missing for the library's probe, with the command that installs it. */
    Optional<String> problem(ProbedLibrary library) throws InterruptedException {
        return problem(library.umbrellaHeader(), library.headerPackages());
    }

    Optional<String> problem(String umbrellaHeader, String headerPackages) throws InterruptedException {
        String umbrella = headers.resolve(umbrellaHeader).toString();
        try {
            Command.Outcome preprocessed =
                    new Command(DEADLINE).run(List.of(compiler, "-x", "c", "-M", "-MF", "/dev/null", umbrella));
            // Only an absent header is a reason to skip; whatever else is wrong must fail in the probe itself.
            return preprocessed
                    .output()
                    .lines()
                    .filter(line -> line.contains("No such file or directory"))
                    .findFirst()
                    .map(line -> missing("this header", headerPackages, line));
        } catch (IOException e) {
            return Optional.of(missing("a C compiler", headerPackages, e.getMessage()));
        }
    }

    private static String missing(String what, String headerPackages, String detail) {
        return "The layout probe needs " + what + ": apt-get install gcc libc6-dev " + headerPackages + " ("
                + detail.strip() + ")";
    }
}
