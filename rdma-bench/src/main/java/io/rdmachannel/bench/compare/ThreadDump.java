// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.inspect.system.CommandResult;
import io.rdmachannel.bench.inspect.system.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What the threads of a JVM are doing, virtual ones too, as far as it is this project's: for what is stuck. */
final class ThreadDump {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String OURS = "io.rdmachannel";

    private ThreadDump() {}

    /**
     * Asks a JVM by the JDK's jcmd. Blocks, for half a minute at most.
     *
     * @param pid the process, which may be this one
     * @return the threads, or why there is no dump, in brackets
     */
    static String of(long pid) {
        try {
            Path folder = Files.createTempDirectory("rdma-bench-");
            // jcmd writes to no file that is there.
            Path file = folder.resolve("threads");
            try {
                return read(pid, file);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException failed) {
            return "(no thread dump: " + failed.getMessage() + ")";
        }
    }

    /** Leaves out the threads that are in nobody's code but the runtime's. */
    static String ours(String dump) {
        return Arrays.stream(dump.split("\\R\\R+"))
                .filter(thread -> thread.contains(OURS))
                .collect(Collectors.joining("\n"));
    }

    private static String read(long pid, Path file) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        CommandResult result = new ProcessRunner(LIMIT)
                .run(jcmd, String.valueOf(pid), "Thread.dump_to_file", "-format=plain", file.toString());
        if (!result.isSuccess()) {
            return "(no thread dump: " + result.output().strip() + ")";
        }
        return ours(Files.readString(file));
    }
}
