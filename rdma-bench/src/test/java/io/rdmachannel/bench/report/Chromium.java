// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window. */
final class Chromium {
    private static final int LIMIT_SECONDS = 180;

    private final Path program;
    private final Path directory;

    /**
     * What it left of a page.
     *
     * @param dom the page as the browser has understood it
     * @param log what the browser and the page's console have said
     */
    record Page(String dom, String log) {}

    private Chromium(Path program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    /** The browser, if there is one; it writes to this directory. */
    static Optional<Chromium> find(Path directory) {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(place -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .map(program -> new Chromium(program, directory))
                .findFirst();
    }

    Page open(Path page) throws IOException, InterruptedException {
        Path dom = directory.resolve("dom.html");
        Path log = directory.resolve("log.txt");
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless",
                "--disable-gpu",
                "--no-first-run",
                "--enable-logging=stderr",
                "--user-data-dir=" + directory.resolve("profile")));
        // Its sandbox refuses to run as root, which is what tests in containers are.
        command.add("--no-sandbox");
        command.addAll(List.of("--dump-dom", page.toUri().toString()));
        Process process = new ProcessBuilder(command)
                .redirectOutput(dom.toFile())
                .redirectError(log.toFile())
                .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("chromium has not ended: " + Files.readString(log));
        }
        return new Page(
                Files.readString(dom, StandardCharsets.UTF_8), Files.readString(log, StandardCharsets.ISO_8859_1));
    }
}
