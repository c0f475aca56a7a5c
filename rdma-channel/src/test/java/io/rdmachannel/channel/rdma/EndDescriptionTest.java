// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.PathMtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EndDescriptionTest {
    private static final Gid IPV4 = Gid.parse("::ffff:10.0.0.1");
    private static final EndDescription ROCE =
            new EndDescription(0xFFFFFF, 0xABCDEF, IPV4, 0, PathMtu.MTU_4096, true, 255, 1);
    private static final EndDescription INFINIBAND =
            new EndDescription(2, 0, EndDescription.NO_GID, 0xBFFF, PathMtu.MTU_256, false, 16, 16);

    @Test
    void shouldReadWhatItHasWritten() {
        assertThat(EndDescription.from(fields(ROCE))).isEqualTo(ROCE);
        assertThat(EndDescription.from(fields(INFINIBAND))).isEqualTo(INFINIBAND);
    }

    @ParameterizedTest
    @EnumSource(
            value = Tag.class,
            names = {
                "QUEUE_PAIR_NUMBER",
                "PACKET_SEQUENCE_NUMBER",
                "GID",
                "LID",
                "PATH_MTU",
                "LINK_LAYER",
                "RESPONDER_READS",
                "INITIATOR_READS"
            })
    void shouldRefuseAFieldOfTheWrongSize(Tag tag) {
        Fields fields = fields(ROCE).put(tag, new byte[3]);
        assertThatThrownBy(() -> EndDescription.from(fields))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(tag.name());
    }

    @ParameterizedTest
    @CsvSource({
        "QUEUE_PAIR_NUMBER, 4, 1",
        "QUEUE_PAIR_NUMBER, 4, 16777216",
        "PACKET_SEQUENCE_NUMBER, 4, 16777216",
        "PACKET_SEQUENCE_NUMBER, 4, 4294967295",
        "LID, 2, 49152",
        "PATH_MTU, 4, 0",
        "PATH_MTU, 4, 300",
        "PATH_MTU, 4, 8192",
        "LINK_LAYER, 1, 0",
        "LINK_LAYER, 1, 3",
        "RESPONDER_READS, 1, 0",
        "INITIATOR_READS, 1, 0"
    })
    void shouldRefuseAValueOutOfRange(Tag tag, int size, long value) {
        Fields fields = fields(ROCE).put(tag, size, value);
        assertThatThrownBy(() -> EndDescription.from(fields))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(String.valueOf(value));
    }

    @Test
    void shouldRefuseAPeerOfAnotherKind() {
        assertThatThrownBy(() -> ROCE.requireReachable(INFINIBAND)).isInstanceOf(ChannelException.class);
        assertThatThrownBy(() -> ROCE.requireReachable(roce("fe80::1"))).isInstanceOf(ChannelException.class);
        ROCE.requireReachable(roce("::ffff:10.0.0.2"));
    }

    @Test
    void shouldRefuseAnAddressThatIsNobodys() {
        assertThatThrownBy(() -> ROCE.requireReachable(roce("::"))).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> ROCE.requireReachable(roce("ff02::1"))).isInstanceOf(ProtocolException.class);
        EndDescription unaddressed = new EndDescription(2, 0, EndDescription.NO_GID, 0, PathMtu.MTU_256, false, 16, 16);
        assertThatThrownBy(() -> INFINIBAND.requireReachable(unaddressed)).isInstanceOf(ProtocolException.class);
    }

    private static EndDescription roce(String gid) {
        return new EndDescription(17, 1, Gid.parse(gid), 0, PathMtu.MTU_1024, true, 4, 4);
    }

    private static Fields fields(EndDescription description) {
        Fields fields = new Fields();
        description.putInto(fields);
        return Fields.decode(fields.encode());
    }
}
