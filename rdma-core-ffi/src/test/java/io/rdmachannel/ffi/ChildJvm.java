// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a test's main class in a Java machine of its own, on the class path. */
final class ChildJvm {
    private ChildJvm() {}

    static String run(List<String> options, Class<?> main) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(main), main.getName()));
        return ChildProcess.run(command);
    }

    private static String classPath(Class<?> main) {
        return location(main) + System.getProperty("path.separator") + location(NativeLibrary.class);
    }

    /** Where the build put the classes: beside the test classes, whether or not they are patched into the module. */
    private static Path location(Class<?> type) {
        String resource = type.getName().replace('.', '/') + ".class";
        for (String folder : List.of("target/classes", "target/test-classes")) {
            Path candidate = Path.of(folder).toAbsolutePath();
            if (candidate.resolve(resource).toFile().isFile()) {
                return candidate;
            }
        }
        throw new IllegalStateException(resource + " is neither in target/classes nor in target/test-classes");
    }
}
