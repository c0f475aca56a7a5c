// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.system.SystemTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The providers of libibverbs that are installed: shared libraries, and a line of configuration for each. */
final class Providers {
    static final String CONFIGURATION = "/etc/libibverbs.d";
    private static final Pattern SUFFIX = Pattern.compile("-rdmav(\\d+)\\.so");

    private final SystemTree files;

    Providers(SystemTree files) {
        this.files = files;
    }

    /** The directories in which libraries look, as distributions set it when they build libibverbs. */
    List<String> directories() {
        List<String> all = new ArrayList<>();
        for (String lib : List.of("/usr/lib", "/usr/lib64", "/usr/local/lib")) {
            all.add(lib + "/libibverbs");
            files.list(lib).forEach(name -> all.add(lib + "/" + name + "/libibverbs"));
        }
        return all.stream().filter(files::exists).toList();
    }

    /** The files of a provider, of whatever version. */
    List<String> libraries(String provider) {
        Pattern name = Pattern.compile("lib" + Pattern.quote(provider) + SUFFIX);
        return directories().stream()
                .flatMap(directory -> files.list(directory).stream()
                        .filter(file -> name.matcher(file).matches())
                        .map(file -> directory + "/" + file))
                .toList();
    }

    /** Whether libibverbs is told to load a provider. */
    boolean isConfigured(String provider) {
        return files.list(CONFIGURATION).stream()
                .flatMap(file -> files.lines(CONFIGURATION + "/" + file).stream())
                .anyMatch(line -> line.strip().equals("driver " + provider));
    }

    /** How many providers libibverbs is told to load. */
    long configured() {
        return files.list(CONFIGURATION).stream()
                .flatMap(file -> files.lines(CONFIGURATION + "/" + file).stream())
                .filter(line -> line.strip().startsWith("driver "))
                .count();
    }

    /** The version of the inner interface, in the name of each provider; the library has it as a text in its code. */
    Optional<String> wantedVersion(String library) {
        try {
            Path file = files.at(library);
            Matcher matcher = SUFFIX.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    static boolean isOfVersion(String library, String version) {
        return library.endsWith("-rdmav" + version + ".so");
    }
}
