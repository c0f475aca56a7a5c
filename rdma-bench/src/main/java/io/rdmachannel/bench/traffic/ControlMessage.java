// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.bench.tool.ToolVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What client and server tell each other about a test, as a JSON object of one line. The traffic itself goes over
 * another channel.
 *
 * @param protocol the version of this conversation
 * @param tool the sender's version of the tool
 * @param type what the message says
 * @param plan with PLAN: what the client wants
 * @param port with ACCEPTED: where the channel for the traffic is to be connected
 * @param size with RUN: bytes
 * @param reason with REFUSED: a sentence for the client's user
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ControlMessage(int protocol, String tool, Type type, TestPlan plan, Integer port, Integer size, String reason) {
    /** The version that this program speaks. */
    static final int PROTOCOL = 1;

    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /** What a message says. */
    enum Type {
        /** The client's first: what it wants. */
        PLAN,
        /** The server's answer: go on. */
        ACCEPTED,
        /** The server's answer: no, and why. */
        REFUSED,
        /** The client wants to begin with one size. */
        RUN,
        /** The server is ready for it. */
        READY
    }

    static ControlMessage plan(TestPlan plan) {
        return new ControlMessage(PROTOCOL, ToolVersion.current(), Type.PLAN, plan, null, null, null);
    }

    static ControlMessage accepted(int port) {
        return new ControlMessage(PROTOCOL, ToolVersion.current(), Type.ACCEPTED, null, port, null, null);
    }

    static ControlMessage refused(String reason) {
        return new ControlMessage(PROTOCOL, ToolVersion.current(), Type.REFUSED, null, null, null, reason);
    }

    static ControlMessage run(int size) {
        return new ControlMessage(PROTOCOL, null, Type.RUN, null, null, size, null);
    }

    static ControlMessage ready() {
        return new ControlMessage(PROTOCOL, null, Type.READY, null, null, null, null);
    }

    byte[] encode() {
        try {
            return MAPPER.writeValueAsBytes(this);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads a message.
     *
     * @throws ToolException if it is none, or of another version
     */
    static ControlMessage decode(byte[] bytes) {
        try {
            JsonNode tree = MAPPER.readTree(bytes);
            int version = tree.path("protocol").asInt(-1);
            if (version != PROTOCOL) {
                throw new ToolException("one side speaks version " + PROTOCOL + " of the test protocol (rdma-bench "
                        + ToolVersion.current() + "), the other one version " + version + " (rdma-bench "
                        + tree.path("tool").asText("of unknown version") + "): use one release on both");
            }
            return MAPPER.treeToValue(tree, ControlMessage.class);
        } catch (IOException | IllegalArgumentException wrong) {
            throw new ToolException(
                    "the other side does not talk as rdma-bench does: it sent '" + excerpt(bytes) + "'", wrong);
        }
    }

    private static String excerpt(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
