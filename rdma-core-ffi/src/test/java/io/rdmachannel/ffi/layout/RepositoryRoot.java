// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.nio.file.Files;
import java.nio.file.Path;

/** The top of the working copy, found from the directory that the tests run in, which is the module's. */
final class RepositoryRoot {
    static final String GENERATE = "native-headers/generate.sh";

    private RepositoryRoot() {}

    static Path find() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(GENERATE))) {
                return folder;
            }
        }
        throw new AssertionError("neither " + start + " nor a folder above it holds " + GENERATE
                + ": run this test inside a checkout of the repository");
    }
}
