// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.tool.ToolException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The options of {@code rdma-bench client}, for other commands that run tests. */
@Command
public final class ClientArguments {
    @Mixin
    private TestOptions test = new TestOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    private ClientArguments() {}

    /**
     * Makes a session as the command would.
     *
     * @param host the server
     * @param kind what to measure
     * @param arguments the command's options
     * @return the session, not begun
     * @throws ToolException if the command would refuse them
     */
    public static ClientSession session(String host, TestKind kind, List<String> arguments) {
        ClientArguments parsed = new ClientArguments();
        new CommandLine(parsed).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments.toArray(String[]::new));
        parsed.test.complaint(kind).or(parsed.connection::complaint).ifPresent(complaint -> {
            throw new ToolException(complaint);
        });
        return new ClientSession(host, kind, parsed.connection, parsed.test, List.of());
    }
}
