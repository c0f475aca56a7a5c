// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What a command of the tool has left, run in this process.
 *
 * @param status the exit status
 * @param out standard output
 * @param err standard error
 */
public record ToolRun(int status, String out, String err) {
    public static ToolRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = RdmaBench.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new ToolRun(status, out.toString(), err.toString());
    }

    @Override
    public String toString() {
        return "status " + status + "\n" + out + err;
    }
}
