// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers what a channel tells. */
class Recorder implements ChannelHandler {
    final List<byte[]> messages = new ArrayList<>();
    final Map<Long, Outcome> outcomes = new HashMap<>();
    final List<Long> order = new ArrayList<>();
    final List<Integer> immediates = new ArrayList<>();
    final List<Long> immediateLengths = new ArrayList<>();
    final List<RemoteRegion> exposed = new ArrayList<>();
    final List<RemoteRegion> revoked = new ArrayList<>();
    final List<ChannelState> states = new ArrayList<>();

    @Override
    public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
        messages.add(buffer.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void onCompletion(RdmaChannel channel, long token, Outcome outcome) {
        if (outcomes.put(token, outcome) != null) {
            throw new AssertionError("token " + token + " was told twice");
        }
        order.add(token);
    }

    @Override
    public void onWriteWithImmediate(RdmaChannel channel, int immediate, long length) {
        immediates.add(immediate);
        immediateLengths.add(length);
    }

    @Override
    public void onRegionExposed(RdmaChannel channel, RemoteRegion region) {
        exposed.add(region);
    }

    @Override
    public void onRegionRevoked(RdmaChannel channel, RemoteRegion region) {
        revoked.add(region);
    }

    @Override
    public void onStateChange(RdmaChannel channel, ChannelState before, ChannelState now) {
        states.add(now);
    }
}
