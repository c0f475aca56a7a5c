// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.AddressVector;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GlobalRoute;
import io.rdmachannel.verbs.LinkLayer;
import io.rdmachannel.verbs.PathMtu;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairState;
import java.io.PrintStream;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** Finds this side's address, and moves the queue pair to READY_TO_SEND towards the other side's. */
final class Connector {
    private static final int SEQUENCE_NUMBERS = 1 << 24;

    /** 0.64 ms; never 0, which is the longest time. */
    private static final int RECEIVER_NOT_READY_TIMER = 12;

    /** Without end for the retries of a receiver that is not ready, as C has it: our own limit ends the wait. */
    private static final int RETRIES = 7;

    private final Endpoint endpoint;
    private final Options options;
    private final PrintStream notes;

    Connector(Endpoint endpoint, Options options, PrintStream notes) {
        this.endpoint = endpoint;
        this.options = options;
        this.notes = notes;
    }

    /** The address to tell to a peer with which this side speaks from that local address. */
    LocalAddress localAddress(InetAddress tcpLocal) {
        GidEntry entry = gidEntry(tcpLocal);
        ExchangeLine line = new ExchangeLine(
                endpoint.port().lid(),
                endpoint.pair().number(),
                ThreadLocalRandom.current().nextInt(SEQUENCE_NUMBERS),
                entry == null ? ExchangeLine.NO_GID : entry.gid());
        return new LocalAddress(line, entry == null ? Options.NO_INDEX : entry.index());
    }

    /** Goes to READY_TO_RECEIVE and on to READY_TO_SEND. Receives must have been posted. */
    void connect(LocalAddress local, ExchangeLine remote) {
        endpoint.pair()
                .modify(QueuePairChange.to(QueuePairState.READY_TO_RECEIVE)
                        .addressVector(route(local, remote))
                        .pathMtu(mtu())
                        .destinationQueuePairNumber(remote.queuePairNumber())
                        .receivePacketSequenceNumber(remote.packetSequenceNumber())
                        .maxResponderReads(1)
                        .minRnrTimer(RECEIVER_NOT_READY_TIMER));
        endpoint.pair()
                .modify(QueuePairChange.to(QueuePairState.READY_TO_SEND)
                        .timeout(options.timeout())
                        .retryCount(RETRIES)
                        .rnrRetry(RETRIES)
                        .sendPacketSequenceNumber(local.line().packetSequenceNumber())
                        .maxOutstandingReads(1));
    }

    private GidEntry gidEntry(InetAddress tcpLocal) {
        if (options.gidIndex() == Options.NO_INDEX && !isEthernet()) {
            return null;
        }
        List<GidEntry> table = endpoint.context().gidTable(options.devicePort());
        if (options.gidIndex() != Options.NO_INDEX) {
            return atIndex(table, options.gidIndex());
        }
        return GidChoice.towards(tcpLocal)
                .best(table)
                .orElseThrow(() -> new PingPongException(
                        portName() + " has no GID; give its network interface an address, and bring it up"));
    }

    private GidEntry atIndex(List<GidEntry> table, int index) {
        return table.stream()
                .filter(entry -> entry.index() == index)
                .findFirst()
                .orElseThrow(() -> new PingPongException("GID " + index + " of " + portName() + " is empty; there are "
                        + table.stream()
                                .map(entry -> entry.index() + " (" + entry.gid() + ")")
                                .collect(Collectors.joining(", "))));
    }

    private AddressVector route(LocalAddress local, ExchangeLine remote) {
        if (!remote.gid().equals(ExchangeLine.NO_GID)) {
            return globalRoute(local, remote);
        }
        if (isEthernet()) {
            throw new PingPongException("the other side told no GID, which Ethernet needs; give it -g");
        }
        return AddressVector.toLid(options.devicePort(), remote.lid()).withServiceLevel(options.serviceLevel());
    }

    private AddressVector globalRoute(LocalAddress local, ExchangeLine remote) {
        Gid own = local.line().gid();
        if (local.gidIndex() == Options.NO_INDEX) {
            throw new PingPongException("the other side uses a GID, and this side none; give it -g");
        }
        if (isEthernet() && own.isIpv4Mapped() != remote.gid().isIpv4Mapped()) {
            throw new PingPongException("GID " + own + " of this side and " + remote.gid()
                    + " of the other are not of one IP version; choose with -g");
        }
        return AddressVector.toGid(options.devicePort(), GlobalRoute.to(remote.gid(), local.gidIndex()))
                .withDestinationLid(remote.lid())
                .withServiceLevel(options.serviceLevel());
    }

    /** The drivers would take a larger one, and then nothing arrives. */
    private PathMtu mtu() {
        PathMtu active = endpoint.port().activeMtu();
        if (options.mtu().compareTo(active) > 0) {
            notes.printf(
                    "note: path MTU %d is more than the %d of %s; %d is used, and the other side must use the same%n",
                    options.mtu().bytes(), active.bytes(), portName(), active.bytes());
        }
        return options.mtu().min(active);
    }

    private boolean isEthernet() {
        return endpoint.port().linkLayer() == LinkLayer.ETHERNET;
    }

    private String portName() {
        return "port " + options.devicePort() + " of "
                + endpoint.context().device().name();
    }
}
