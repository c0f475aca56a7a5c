// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that only names values, as one does that runs over TCP, must start without the flag for native access. */
class ValuesWithoutNativeAccessTest {
    private static final String PROGRAM = """
            import io.rdmachannel.verbs.*;
            import java.util.*;

            class Program {
                public static void main(String[] arguments) {
                    List<Enum<?>[]> constants = List.of(AccessFlag.values(), AsyncEventType.values(),
                            AtomicCapability.values(), DeviceCapability.values(), GidType.values(), LinkLayer.values(),
                            MemoryWindowType.values(), NodeType.values(), PathMtu.values(), PortState.values(),
                            QueuePairAttribute.values(), QueuePairState.values(), QueuePairType.values(),
                            SendFlag.values(), TransportType.values(), WorkCompletionFlag.values(),
                            WorkCompletionOpcode.values(), WorkCompletionStatus.values(), WorkRequestOpcode.values());
                    AccessFlag.requireConsistent(EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
                    PathMtu.largestNotAbove(1500).min(PathMtu.ofBytes(512));
                    AddressVector.toGid(1, GlobalRoute.to(Gid.parse("::ffff:10.0.0.1"), 0)).withServiceLevel(1);
                    new QueuePairCapabilities(1, 1, 1, 1, 0);
                    QueuePairTransitions.explain(QueuePairType.RELIABLE_CONNECTION, QueuePairState.RESET,
                            QueuePairState.INIT, Set.of());
                    System.out.print(constants.size() + " enums named");
                }
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void everyValueCanBeMadeWhereNativeAccessIsDenied() throws Exception {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--illegal-native-access=deny",
                        "-cp",
                        classes().toString(),
                        program.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(output)).isEqualTo("19 enums named");
        assertThat(process.exitValue()).isZero();
    }

    private static Path classes() throws URISyntaxException {
        return Path.of(AccessFlag.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }
}
