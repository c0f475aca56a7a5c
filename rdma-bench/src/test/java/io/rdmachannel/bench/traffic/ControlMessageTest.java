// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.Transport;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlMessageTest {
    static final TestPlan PLAN =
            new TestPlan(TestKind.SEND_LAT, Transport.AUTO, PollMode.EVENT, 64, 16, 32, 256, 8192, 0);

    @Test
    void shouldReadWhatItWrites() {
        ControlMessage message = ControlMessage.plan(PLAN);

        assertThat(ControlMessage.decode(message.encode())).isEqualTo(message);
        assertThat(new String(message.encode(), StandardCharsets.UTF_8))
                .contains("\"protocol\":1", "\"test\":\"send-lat\"", "\"mode\":\"event\"")
                .doesNotContain("null");
    }

    @Test
    void shouldRefuseAnotherVersionWithBothNumbers() {
        byte[] newer = "{\"protocol\":2,\"tool\":\"9.9\",\"type\":\"PLAN\"}".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> ControlMessage.decode(newer))
                .isInstanceOf(ToolException.class)
                .hasMessageContainingAll("version 1", "version 2", "rdma-bench 9.9", "one release on both");
    }

    @Test
    void shouldIgnoreWhatALaterReleaseAdds() {
        byte[] more = "{\"protocol\":1,\"type\":\"READY\",\"mood\":\"good\"}".getBytes(StandardCharsets.UTF_8);

        assertThat(ControlMessage.decode(more).type()).isEqualTo(ControlMessage.Type.READY);
    }

    @Test
    void shouldRefuseAPlanThatCannotBe() {
        String plan = new String(ControlMessage.plan(PLAN).encode(), StandardCharsets.UTF_8);
        byte[] huge = plan.replace("\"sizeMax\":64", "\"sizeMax\":2147483647").getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> ControlMessage.decode(huge)).isInstanceOf(ToolException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "{\"protocol\":1,\"type\":\"DANCE\"}", "{\"protocol\":1,\"size\":\"x\"}"})
    void shouldRefuseWhatIsNoMessage(String text) {
        assertThatThrownBy(() -> ControlMessage.decode(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("does not talk as rdma-bench does");
    }
}
