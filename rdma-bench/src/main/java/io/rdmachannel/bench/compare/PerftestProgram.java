// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.tool.ToolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where perftest's programs are, and how they are called. */
final class PerftestProgram {
    private static final Pattern VERSION = Pattern.compile("(?i)version\\s*:?\\s*([0-9][0-9.]*)");
    private static final int VERSION_SECONDS = 30;

    private PerftestProgram() {}

    /**
     * Checks that programs are installed.
     *
     * @param tests what is to be measured
     * @param path directories to search, separated by colons
     * @throws ToolException if one is missing; the message says what to install
     */
    static void require(List<TestKind> tests, String path) {
        List<String> directories = List.of(path.split(":"));
        List<String> missing = tests.stream()
                .map(TestKind::perftestProgram)
                .distinct()
                .filter(program ->
                        directories.stream().noneMatch(directory -> Files.isExecutable(Path.of(directory, program))))
                .toList();
        if (!missing.isEmpty()) {
            throw new ToolException("not installed: " + String.join(", ", missing)
                    + ". They belong to perftest: `apt-get install perftest` on Debian and Ubuntu,"
                    + " `dnf install perftest` on Fedora and Red Hat");
        }
    }

    /**
     * Says whether perftest can do it.
     *
     * @param test what is measured
     * @param mode how both sides wait
     * @return false for events of writes, and for a mode that it does not have
     */
    static boolean has(TestKind test, PollMode mode) {
        boolean writes = test == TestKind.WRITE_LAT || test == TestKind.WRITE_BW;
        return mode == PollMode.BUSY || mode == PollMode.EVENT && !writes;
    }

    /**
     * Makes a command line, but for the server's name that the client has at its end.
     *
     * @param cell what to measure
     * @param setting what is alike for all
     * @param cpu processor to be bound to; -1 for any
     * @param port TCP port for the programs' own conversation
     * @return the words
     */
    static List<String> command(Cell cell, CompareSetting setting, int cpu, int port) {
        List<String> words = new ArrayList<>();
        if (cpu >= 0) {
            words.addAll(List.of("taskset", "-c", String.valueOf(cpu)));
        }
        words.addAll(List.of(
                cell.test().perftestProgram(),
                "-F",
                "-d",
                setting.device(),
                "-i",
                String.valueOf(setting.devicePort()),
                "-p",
                String.valueOf(port),
                "-n",
                String.valueOf(setting.iterations())));
        if (cell.test() != TestKind.ATOMIC_LAT) {
            words.addAll(List.of("-s", String.valueOf(cell.size())));
        }
        if (setting.gidIndex() >= 0) {
            words.addAll(List.of("-x", String.valueOf(setting.gidIndex())));
        }
        if (cell.test().isLatency()) {
            words.add("-U");
        } else {
            words.addAll(List.of("-t", String.valueOf(setting.txDepth())));
        }
        if (cell.mode() == PollMode.EVENT) {
            words.add("-e");
        }
        // Programs for reads and atomics have no such option: nothing of theirs could go inline.
        if (setting.inline() >= 0
                && (cell.test().name().startsWith("SEND") || cell.test().name().startsWith("WRITE"))) {
            words.addAll(List.of("-I", String.valueOf(setting.inline())));
        }
        return words;
    }

    /**
     * Asks for perftest's version.
     *
     * @param test whose program is asked
     * @return such as 4.5
     */
    static String version(TestKind test) throws InterruptedException {
        try (ChildProcess program = ChildProcess.start(List.of(test.perftestProgram(), "--version"))) {
            program.await(VERSION_SECONDS);
            Matcher matcher = VERSION.matcher(program.output());
            return matcher.find() ? matcher.group(1) : "of unknown version";
        }
    }
}
