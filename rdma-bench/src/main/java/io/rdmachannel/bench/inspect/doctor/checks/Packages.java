// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.Locale;

/** How packages are installed on the distribution at hand. */
final class Packages {
    private static final String RELEASE = "/etc/os-release";

    private Packages() {}

    /** Without a command on distributions whose packages have other names. */
    static Remedy install(SystemTree files, String debian, String fedora) {
        return with(files, "apt-get install " + debian, "dnf install " + fedora);
    }

    /** Puts back the files of packages, whether they are installed or not. */
    static Remedy restore(SystemTree files, String debian, String fedora) {
        return with(files, "apt-get install --reinstall " + debian, "dnf reinstall " + fedora);
    }

    private static Remedy with(SystemTree files, String apt, String dnf) {
        String release = String.join(" ", files.lines(RELEASE)).toLowerCase(Locale.ROOT);
        if (release.contains("debian") || release.contains("ubuntu")) {
            return new Remedy("install the packages, in a container into its image", apt);
        }
        if (release.contains("fedora") || release.contains("rhel")) {
            return new Remedy("install the packages, in a container into its image", dnf);
        }
        return new Remedy("install the packages; Debian: '" + apt + "', Fedora: '" + dnf + "'", null);
    }
}
