// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shared library of rdma-core that this process has loaded.
 *
 * @param path its file, links followed
 * @param release the release of rdma-core that it is from; 0 when the file's name does not tell
 */
record LibraryVersion(String path, int release) {
    private static final String MAPPINGS = "/proc/self/maps";

    /** Finds it among the mappings: the file's name ends with the ABI's number and the release, such as 1.14.44.0. */
    static Optional<LibraryVersion> of(SystemTree files, String soname) {
        Pattern mapping = Pattern.compile("(/\\S*/" + Pattern.quote(soname) + "(?:\\.\\d+\\.(\\d+)\\.\\d+)?)$");
        for (String line : files.lines(MAPPINGS)) {
            Matcher matcher = mapping.matcher(line);
            if (matcher.find()) {
                int release = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
                return Optional.of(new LibraryVersion(matcher.group(1), release));
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return path + (release == 0 ? "" : " of rdma-core " + release);
    }
}
