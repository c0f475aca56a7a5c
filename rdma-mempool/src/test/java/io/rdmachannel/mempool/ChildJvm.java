// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How to start a program of the tests in a JVM of its own, on the class path. */
final class ChildJvm {
    private ChildJvm() {}

    static List<String> command(Class<?> program, String... options) {
        Stream<String> java = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1");
        return Stream.of(java, Stream.of(options), Stream.of("-cp", classPath(), program.getName()))
                .flatMap(part -> part)
                .toList();
    }

    private static String classPath() {
        Path here = Path.of(System.getProperty("basedir", "."));
        return Stream.of(
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path"),
                        here.resolve("target/classes").toString(),
                        here.resolve("target/test-classes").toString())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
