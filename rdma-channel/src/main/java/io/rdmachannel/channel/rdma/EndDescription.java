// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.PathMtu;

/**
 * What one end of a connection tells the other.
 *
 * @param queuePairNumber 2 to 2^24 - 1
 * @param packetSequenceNumber of the first packet that it sends, 24 bits
 * @param gid its GID, all zeros for none
 * @param lid its LID, 0 on Ethernet
 * @param mtu the largest packet that its port takes
 * @param ethernet whether the link layer is Ethernet, not InfiniBand
 * @param responderReads how many reads and atomics it serves at once, 1 to 255
 * @param initiatorReads how many it starts at once at most, 1 to 255
 */
record EndDescription(
        int queuePairNumber,
        int packetSequenceNumber,
        Gid gid,
        int lid,
        PathMtu mtu,
        boolean ethernet,
        int responderReads,
        int initiatorReads) {
    /** How many packet sequence numbers there are. */
    static final int SEQUENCE_NUMBERS = 1 << 24;

    /** No GID. */
    static final Gid NO_GID = Gid.of(new byte[Gid.BYTES]);

    private static final int NUMBER_MAX = SEQUENCE_NUMBERS - 1;
    /** Below are the two queue pairs that every port has for management. */
    private static final int QUEUE_PAIR_MIN = 2;

    private static final int READS_MAX = 255;
    private static final int INFINIBAND = 1;
    private static final int ETHERNET = 2;
    /** From here on LIDs are of multicast groups. */
    private static final int UNICAST_LID_MAX = 0xBFFF;

    /** Writes it into a message. */
    void putInto(Fields fields) {
        fields.put(Tag.QUEUE_PAIR_NUMBER, Integer.BYTES, queuePairNumber)
                .put(Tag.PACKET_SEQUENCE_NUMBER, Integer.BYTES, packetSequenceNumber)
                .put(Tag.GID, gid.bytes())
                .put(Tag.LID, Short.BYTES, lid)
                .put(Tag.PATH_MTU, Integer.BYTES, mtu.bytes())
                .put(Tag.LINK_LAYER, 1, ethernet ? ETHERNET : INFINIBAND)
                .put(Tag.RESPONDER_READS, 1, responderReads)
                .put(Tag.INITIATOR_READS, 1, initiatorReads);
    }

    /**
     * Reads a peer's, and believes nothing.
     *
     * @throws ProtocolException if a field is missing or out of range
     */
    static EndDescription from(Fields fields) {
        return new EndDescription(
                (int) fields.number(Tag.QUEUE_PAIR_NUMBER, Integer.BYTES, QUEUE_PAIR_MIN, NUMBER_MAX),
                (int) fields.number(Tag.PACKET_SEQUENCE_NUMBER, Integer.BYTES, 0, NUMBER_MAX),
                Gid.of(fields.bytes(Tag.GID, Gid.BYTES)),
                (int) fields.number(Tag.LID, Short.BYTES, 0, UNICAST_LID_MAX),
                mtu(fields.number(Tag.PATH_MTU, Integer.BYTES, PathMtu.MTU_256.bytes(), PathMtu.MTU_4096.bytes())),
                fields.number(Tag.LINK_LAYER, 1, INFINIBAND, ETHERNET) == ETHERNET,
                (int) fields.number(Tag.RESPONDER_READS, 1, 1, READS_MAX),
                (int) fields.number(Tag.INITIATOR_READS, 1, 1, READS_MAX));
    }

    /**
     * Checks that this end, the local one, can reach a peer.
     *
     * @throws ProtocolException if the peer's address is none
     * @throws ChannelException if both are right, and do not go together
     */
    void requireReachable(EndDescription peer) {
        if (ethernet != peer.ethernet) {
            throw unavailable("this side is on " + layer() + " and the peer on " + peer.layer());
        }
        boolean addressed = ethernet ? !peer.gid.isZero() : peer.lid != 0;
        if (!addressed || peer.gid.isMulticast()) {
            throw new ProtocolException("the peer is on " + peer.layer() + ", and its GID " + peer.gid + " with LID "
                    + peer.lid + " is nobody's address");
        }
        if (ethernet && gid.isIpv4Mapped() != peer.gid.isIpv4Mapped()) {
            throw unavailable("GID " + gid + " of this side and " + peer.gid + " of the peer are not of one IP version;"
                    + " choose others by rdma.gidIndex");
        }
    }

    private String layer() {
        return ethernet ? "Ethernet (RoCE)" : "InfiniBand";
    }

    private static ChannelException unavailable(String why) {
        return new ChannelException(ChannelException.Reason.UNAVAILABLE, "no RDMA between these two ends: " + why);
    }

    private static PathMtu mtu(long bytes) {
        PathMtu mtu = PathMtu.largestNotAbove((int) bytes);
        if (mtu.bytes() != bytes) {
            throw new ProtocolException("field PATH_MTU is " + bytes + ", and must be 256, 512, 1024, 2048 or 4096");
        }
        return mtu;
    }
}
