// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The channels of a listener that can be connected anew. Any thread. */
final class Sessions {
    private final Map<String, ChannelCore> channels = new ConcurrentHashMap<>();

    /** Adds a channel that has begun, until it is over; in its loop's thread. */
    void add(ChannelCore channel) {
        channel.setup().resumable().ifPresent(resumable -> {
            String name = Session.name(resumable.session());
            channels.put(name, channel);
            channel.life().whenOver(() -> channels.remove(name, channel));
        });
    }

    static boolean isAnew(Fields hello) {
        return hello.has(Tag.EPOCH) && hello.number(Tag.EPOCH, 8, 0, Long.MAX_VALUE) > 0;
    }

    /**
     * Finds the channel that a HELLO wants to connect anew.
     *
     * @throws ChannelException if there is none
     * @throws ProtocolException if the peer does not know its secret, or has connected later already
     */
    ChannelCore find(Fields hello) {
        ChannelCore channel = channels.get(Session.name(hello.bytes(Tag.SESSION, Session.BYTES)));
        if (channel == null) {
            throw new ChannelException(
                    Reason.PEER_RESTARTED,
                    "this process does not know the channel: it was restarted, or has given the channel up."
                            + " Connect a new channel.");
        }
        long epoch = hello.number(Tag.EPOCH, 8, 1, Long.MAX_VALUE);
        if (!channel.setup().resumable().orElseThrow().isProvenBy(hello, epoch)) {
            throw new ProtocolException("it does not know the secret of the session");
        }
        channel.recovery().offered(epoch);
        return channel;
    }
}
