// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ExposedRegion;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.events.ExposureEvent;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.channel.protocol.RegionNotice;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The memory that both sides have exposed to each other, by name. The event loop's thread only. */
final class Regions {
    private static final int REMOTE_MAX = 4096;

    private final ChannelCore channel;
    private final Map<String, Exposed> exposed = new HashMap<>();
    private final Map<String, RemoteRegion> remote = new HashMap<>();
    /** After a recovery: those that the peer has not told of again yet. */
    private final Set<String> untold = new HashSet<>();

    Regions(ChannelCore channel) {
        this.channel = channel;
    }

    ExposedRegion expose(String name, MemorySegment memory, Set<RegionRight> rights) {
        requireName(name);
        requireMemory(memory);
        if (rights.isEmpty()) {
            throw new IllegalArgumentException("region \"" + name + "\" has no rights; give at least one RegionRight");
        }
        if (exposed.containsKey(name)) {
            throw new IllegalArgumentException(
                    "a region \"" + name + "\" is exposed already; close it first, or take another name");
        }
        if (channel.sendNotices()) {
            throw cannotTell(name);
        }
        ExposureEvent event = new ExposureEvent();
        event.begin();
        Link.Exposure exposure = channel.link().expose(memory, rights);
        event.finish(channel, name, memory.byteSize());
        Exposed region = new Exposed(name, memory, Set.copyOf(rights), exposure);
        if (!channel.outgoing().notice(FrameHeader.REGION_EXPOSED, region.notice())) {
            exposure.close();
            throw cannotTell(name);
        }
        exposed.put(name, region);
        channel.flushUnlessPolling();
        return region;
    }

    Optional<RemoteRegion> remote(String name) {
        return Optional.ofNullable(remote.get(name));
    }

    /** Returns null when it was known before a recovery, and is the same. */
    RemoteRegion peerExposed(RegionNotice notice) {
        RemoteRegion before = remote.get(notice.name());
        if (before != null && untold.remove(notice.name())) {
            if (isSame(before, notice)) {
                before.moved(notice.address(), notice.key());
                return null;
            }
            remote.remove(notice.name()).revoke();
        }
        if (remote.size() >= REMOTE_MAX || remote.containsKey(notice.name())) {
            throw new ProtocolException(
                    "the peer exposes region \"" + notice.name() + "\" twice, or more than " + REMOTE_MAX + " regions");
        }
        RemoteRegion region =
                new RemoteRegion(notice.name(), notice.address(), notice.length(), notice.key(), notice.rights());
        remote.put(notice.name(), region);
        return region;
    }

    RemoteRegion peerRevoked(RegionNotice notice) {
        RemoteRegion region = remote.remove(notice.name());
        if (region == null) {
            throw new ProtocolException("the peer revokes region \"" + notice.name() + "\", which it has not exposed");
        }
        untold.remove(notice.name());
        region.revoke();
        return region;
    }

    /** The link is about to be closed, and another one will come. */
    void suspend() {
        exposed.values().forEach(region -> region.exposure.close());
    }

    /** Another link: the peer tells of its regions again, and this side of its own. */
    void resume(Link link) {
        untold.clear();
        untold.addAll(remote.keySet());
        exposed.values().forEach(region -> region.exposeOn(link));
    }

    /** What the peer has to be told after {@link #resume}. */
    List<RegionNotice> notices() {
        return exposed.values().stream().map(Exposed::notice).toList();
    }

    /** The peer has told of all regions that there still are; returns those that are no more. */
    List<RemoteRegion> settle() {
        List<RemoteRegion> gone = untold.stream().map(remote::remove).toList();
        untold.clear();
        gone.forEach(RemoteRegion::revoke);
        return gone;
    }

    /** Makes everything useless; before the link is closed. */
    void close() {
        for (Exposed region : new ArrayList<>(exposed.values())) {
            region.exposure.close();
        }
        exposed.clear();
        remote.values().forEach(RemoteRegion::revoke);
        remote.clear();
    }

    private static boolean isSame(RemoteRegion region, RegionNotice notice) {
        return region.length() == notice.length() && region.rights().equals(notice.rights());
    }

    private static IllegalStateException cannotTell(String name) {
        return new IllegalStateException(
                "the peer cannot be told of region \"" + name + "\" now: poll, then expose it again");
    }

    private static void requireName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > RegionNotice.NAME_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the name of a region has " + bytes + " bytes in UTF-8; 1 to 64 are possible");
        }
    }

    private static void requireMemory(MemorySegment memory) {
        if (!memory.isNative() || memory.isReadOnly() || memory.byteSize() == 0) {
            throw new IllegalArgumentException("only native, writable memory of at least 1 byte can be exposed;"
                    + " allocate it in a shared or automatic Arena");
        }
        if (!memory.isAccessibleBy(Somebody.ELSE)) {
            throw new IllegalArgumentException("memory of a confined arena cannot be exposed: its thread can close the"
                    + " arena at any time while the peer goes on; allocate it with Arena.ofShared() or Arena.ofAuto()");
        }
    }

    /** A thread that is never started and stands for any other one. */
    private static final class Somebody {
        static final Thread ELSE = new Thread(() -> {}, "rdma-channel-never-started");
    }

    /** One region of this side. */
    private final class Exposed implements ExposedRegion {
        private final String name;
        private final MemorySegment memory;
        private final Set<RegionRight> rights;
        private Link.Exposure exposure;

        Exposed(String name, MemorySegment memory, Set<RegionRight> rights, Link.Exposure exposure) {
            this.name = name;
            this.memory = memory;
            this.rights = rights;
            this.exposure = exposure;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public Set<RegionRight> rights() {
            return rights;
        }

        @Override
        public void close() {
            channel.requireThread();
            if (!exposed.remove(name, this)) {
                return;
            }
            if (channel.isLinked()) {
                channel.notices().revoked(notice());
            }
            exposure.close();
            channel.sendNotices();
        }

        /** The one before was closed with its link. */
        private void exposeOn(Link link) {
            exposure = link.expose(memory, rights);
        }

        private RegionNotice notice() {
            return new RegionNotice(name, exposure.address(), memory.byteSize(), exposure.key(), rights);
        }
    }
}
