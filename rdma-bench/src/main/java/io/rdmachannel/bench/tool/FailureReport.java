// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import io.rdmachannel.verbs.RdmaException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Says on standard error why a command failed: one sentence for what a user can do something about, and the stack for
 * the rest, which is an error of the tool.
 */
final class FailureReport implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter out = command.getErr();
        if (failure instanceof ToolException || failure instanceof RdmaException) {
            out.println("rdma-bench: " + failure.getMessage());
        } else if (failure instanceof InterruptedException) {
            out.println("rdma-bench: interrupted");
        } else {
            failure.printStackTrace(out);
        }
        out.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }
}
