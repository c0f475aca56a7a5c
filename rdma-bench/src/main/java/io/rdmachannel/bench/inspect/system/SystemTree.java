// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The files of a machine, or of a directory that holds a recorded machine. Paths are absolute, as on the machine. What
 * is not there, or cannot be read, is empty and no error: most of sysfs depends on drivers and versions. Any thread.
 */
public final class SystemTree {
    private static final Comparator<String> BY_NUMBER_THEN_NAME =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private final Path root;
    private final Predicate<Path> usable;

    /**
     * Makes a tree.
     *
     * @param root where the machine's files are
     * @param usable whether this process may read and write a file
     */
    public SystemTree(Path root, Predicate<Path> usable) {
        this.root = root;
        this.usable = usable;
    }

    /**
     * Gives the files of this machine.
     *
     * @return the tree below {@code /}
     */
    public static SystemTree live() {
        return new SystemTree(Path.of("/"), file -> Files.isReadable(file) && Files.isWritable(file));
    }

    /**
     * Reads a file.
     *
     * @param path its path on the machine
     * @return its text without blanks around it; empty when it is not there, unreadable, or has no text
     */
    public Optional<String> read(String path) {
        try {
            return Optional.of(Files.readString(at(path)).strip()).filter(text -> !text.isEmpty());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /**
     * Reads a file line by line.
     *
     * @param path its path on the machine
     * @return its lines; empty when it is not there or unreadable
     */
    public List<String> lines(String path) {
        return read(path).map(text -> text.lines().toList()).orElse(List.of());
    }

    /**
     * Lists a directory.
     *
     * @param path its path on the machine
     * @return the names in it, {@code uverbs2} before {@code uverbs10}; empty when it is not there
     */
    public List<String> list(String path) {
        try (Stream<Path> entries = Files.list(at(path))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .sorted(BY_NUMBER_THEN_NAME)
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }

    /**
     * Says whether something is there.
     *
     * @param path its path on the machine
     * @return true for files, directories and links to either
     */
    public boolean exists(String path) {
        return Files.exists(at(path));
    }

    /**
     * Says whether this process may read and write a file.
     *
     * @param path its path on the machine
     * @return true if both
     */
    public boolean isUsable(String path) {
        return usable.test(at(path));
    }

    /**
     * Follows a link.
     *
     * @param path its path on the machine
     * @return the last name of where it points to; empty when it is no link
     */
    public Optional<String> linkName(String path) {
        try {
            return Optional.of(Files.readSymbolicLink(at(path)).getFileName().toString());
        } catch (IOException | UnsupportedOperationException noLink) {
            return Optional.empty();
        }
    }

    /**
     * Gives the file itself, for what the other methods do not do.
     *
     * @param path its path on the machine
     * @return where it is
     */
    public Path at(String path) {
        return root.resolve(path.substring(1));
    }
}
