// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where and when something was measured.
 *
 * @param date in UTC, as ISO 8601 has it
 * @param host the machine's name
 * @param java version of the Java machine, and who made it
 * @param kernel version of the operating system's kernel
 * @param system name of the distribution; null if unknown
 * @param cpu model of the processor; null if unknown
 * @param processors how many this process may use
 * @param rdmaCore version of rdma-core; null if not installed or unknown
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Environment(
        String date,
        String host,
        String java,
        String kernel,
        String system,
        String cpu,
        int processors,
        String rdmaCore) {
    private static final Pattern CPU = Pattern.compile("(?m)^model name\\s*:\\s*(.+)$");
    private static final Pattern SYSTEM = Pattern.compile("(?m)^PRETTY_NAME=\"?([^\"\n]+)\"?$");
    private static final Pattern LIBRARY = Pattern.compile("libibverbs\\.so\\.1\\.\\d+\\.(\\d[\\d.]*)");
    private static final List<String> LIBRARY_PLACES =
            List.of("/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib");

    /**
     * Looks at this machine.
     *
     * @return as it is now
     */
    public static Environment current() {
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                hostName(),
                System.getProperty("java.vm.vendor") + " " + Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                find(SYSTEM, Path.of("/etc/os-release")).orElse(null),
                find(CPU, Path.of("/proc/cpuinfo")).orElse(null),
                Runtime.getRuntime().availableProcessors(),
                rdmaCoreVersion().orElse(null));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException unknown) {
            return "localhost";
        }
    }

    private static Optional<String> find(Pattern pattern, Path file) {
        try {
            Matcher matcher = pattern.matcher(Files.readString(file, StandardCharsets.UTF_8));
            return matcher.find() ? Optional.of(matcher.group(1).strip()) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** The library's file is named by the version of its interface, and then by that of the package. */
    private static Optional<String> rdmaCoreVersion() {
        return LIBRARY_PLACES.stream()
                .map(place -> Path.of(place, "libibverbs.so.1"))
                .filter(Files::exists)
                .map(Environment::versionOf)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> versionOf(Path library) {
        try {
            Matcher matcher = LIBRARY.matcher(library.toRealPath().getFileName().toString());
            return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
