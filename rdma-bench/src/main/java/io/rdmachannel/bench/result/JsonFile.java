// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rdmachannel.bench.tool.ToolException;
import java.io.IOException;
import java.nio.file.Path;

/** Documents of the tool as JSON. */
public final class JsonFile {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private JsonFile() {}

    /**
     * Writes a document.
     *
     * @param document a record
     * @return text of several lines, with one at the end
     */
    public static String write(Object document) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try {
            return MAPPER.writer(printer).writeValueAsString(document) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads what {@code rdma-bench client} wrote.
     *
     * @param file the file
     * @return the document
     * @throws ToolException if it cannot be read, or is something else
     */
    public static ResultDocument readResults(Path file) {
        try {
            JsonNode tree = MAPPER.readTree(file.toFile());
            String schema = tree.path("schema").asText("");
            if (!schema.equals(ResultDocument.SCHEMA)) {
                throw new ToolException(file + " is no " + ResultDocument.SCHEMA + " document"
                        + (schema.isEmpty() ? "" : " but " + schema)
                        + ": give files that `rdma-bench client --format json` wrote");
            }
            return MAPPER.treeToValue(tree, ResultDocument.class);
        } catch (IOException unreadable) {
            throw new ToolException(file + " cannot be read as JSON: " + unreadable.getMessage(), unreadable);
        }
    }
}
