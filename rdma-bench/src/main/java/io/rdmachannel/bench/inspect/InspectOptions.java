// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The options that both commands have. Filled by picocli. */
final class InspectOptions {
    private static final ObjectMapper JSON = new ObjectMapper().configure(SerializationFeature.INDENT_OUTPUT, true);

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}. JSON is one object, whose names stay.")
    OutputFormat format;

    @Option(
            names = "--address",
            paramLabel = "LOCAL",
            description = "The address of this host that channels are to use. Default: all addresses.")
    InetAddress address;

    Optional<InetAddress> address() {
        return Optional.ofNullable(address);
    }

    /** Writes a value as JSON, or leaves the table to its writer. */
    void write(PrintWriter out, Object value, Consumer<PrintWriter> table) throws JsonProcessingException {
        if (format == OutputFormat.JSON) {
            out.println(JSON.writeValueAsString(value));
        } else {
            table.accept(out);
        }
        out.flush();
    }
}
