// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the code that the README shows, as it stands there. */
class ReadmeExampleTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final int LINES_MAX = 15;

    @TempDir
    Path classes;

    @Test
    void shouldCompileTheExamplesOfTheReadme() throws IOException {
        for (String example : readmeExamples()) {
            assertThat(compile(program(example))).as(example).isEmpty();
        }
    }

    @Test
    void shouldNotCompileAnExampleWithAMistake() throws IOException {
        String mistaken = readmeExamples().getLast().replace("postSend(", "postSent(");

        assertThat(compile(program(mistaken))).contains("postSent");
    }

    @Test
    void shouldShowShortExamples() throws IOException {
        assertThat(readmeExamples())
                .hasSize(2)
                .allSatisfy(example -> assertThat(example.lines()).hasSizeLessThanOrEqualTo(LINES_MAX));
    }

    private static List<String> readmeExamples() throws IOException {
        return JAVA_BLOCK
                .matcher(Files.readString(Path.of("../../README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static String program(String statements) {
        return """
                import io.rdmachannel.channel.*;
                import io.rdmachannel.verbs.*;
                import java.lang.foreign.*;
                import java.net.InetSocketAddress;
                import java.time.Duration;
                import java.util.Set;

                class ReadmeExample {
                    static void connect(QueuePair queuePair) {}

                    static void run() throws Exception {
                        %s
                    }
                }
                """.formatted(statements);
    }

    /** Returns the compiler's messages; empty when it had nothing to say. */
    private String compile(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-Xlint:all", "-proc:none");
        compiler.getTask(messages, null, null, options, null, List.of(inMemory(source)))
                .call();
        return messages.toString();
    }

    private static JavaFileObject inMemory(String source) {
        return new SimpleJavaFileObject(URI.create("string:///ReadmeExample.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }
}
