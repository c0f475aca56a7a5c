// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rdmachannel.bench.tool.RdmaBench;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What a run of the tool left.
 *
 * @param status its exit code
 * @param output what it wrote to standard output
 * @param errors what it wrote to standard error
 */
record ToolRun(int status, String output, String errors) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Runs the tool within this JVM. */
    static ToolRun of(String... arguments) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine commandLine =
                RdmaBench.commandLine().setOut(new PrintWriter(output, true)).setErr(new PrintWriter(errors, true));
        int status = commandLine.execute(arguments);
        return new ToolRun(status, output.toString(), errors.toString());
    }

    JsonNode json() throws JsonProcessingException {
        return JSON.readTree(output);
    }

    /** The result of one check of the doctor. */
    JsonNode check(String name) throws JsonProcessingException {
        for (JsonNode check : json().path("checks")) {
            if (check.path("name").asText().equals(name)) {
                return check;
            }
        }
        throw new AssertionError("no check '" + name + "' in:\n" + output + errors);
    }
}
