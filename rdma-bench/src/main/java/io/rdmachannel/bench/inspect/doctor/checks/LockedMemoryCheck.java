// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.LockedMemory;
import io.rdmachannel.mempool.PoolSizing;
import java.util.List;

/** The limit on locked memory, against what a poller with default settings registers. */
final class LockedMemoryCheck implements Check {
    private static final String LIMITS = "/proc/self/limits";
    private static final long KIBIBYTE = 1024;

    @Override
    public String name() {
        return "locked memory";
    }

    @Override
    public Finding run(Environment environment) {
        LockedMemory memory = environment.library().lockedMemory();
        PollerConfig poller = PollerConfig.of("doctor");
        Finding need = Finding.of(Status.OK, need(poller));
        if (memory.exempt()) {
            return need.and(Status.OK, "this process has CAP_IPC_LOCK, so that no limit applies");
        }
        long room = memory.roomToPin();
        if (room == Long.MAX_VALUE) {
            return need.and(Status.OK, "the limit (RLIMIT_MEMLOCK) is unlimited");
        }
        String have = "the limit (RLIMIT_MEMLOCK) is " + Quantity.bytes(memory.limitBytes()) + ", hard limit "
                + hardLimit(environment.files().lines(LIMITS)) + ", " + Quantity.bytes(room)
                + " may still be pinned, and the process lacks CAP_IPC_LOCK";
        if (room >= poller.poolMaxBytes()) {
            return need.and(Status.OK, have);
        }
        Status status = room < poller.poolBytes() ? Status.PROBLEM : Status.WARNING;
        return need.and(Finding.of(status, have, remedies(poller.poolMaxBytes())));
    }

    private static String need(PollerConfig poller) {
        ChannelConfig channel = ChannelConfig.builder().build();
        long each = PoolSizing.withHeadroom(FrameHeader.BYTES)
                .plus("posted receives", channel.receiveDepth(), channel.receiveBytes())
                .plus("sends in flight", channel.sendDepth(), channel.receiveBytes())
                .bytes(poller.poolBytes());
        return "a poller registers " + Quantity.bytes(poller.poolBytes()) + " at first and at most "
                + Quantity.bytes(poller.poolMaxBytes()) + ", of which a channel may need " + Quantity.bytes(each)
                + ", all with default settings";
    }

    private static Remedy[] remedies(long bytes) {
        return new Remedy[] {
            new Remedy(
                    "in the shell that starts the program; above the hard limit only root may",
                    "ulimit -l " + bytes / KIBIBYTE),
            new Remedy("for all logins of a group: a line of /etc/security/limits.conf", "@GROUP - memlock unlimited"),
            new Remedy("for a service: in its systemd unit, section [Service]", "LimitMEMLOCK=infinity"),
            new Remedy("for a container", "docker run --ulimit memlock=-1:-1 IMAGE"),
            new Remedy("in Kubernetes", "securityContext: {capabilities: {add: [IPC_LOCK]}}")
        };
    }

    /** The line is "Max locked memory", the soft limit, the hard limit, the unit, in columns. */
    private static String hardLimit(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith("Max locked memory")) {
                String[] columns = line.strip().split("\\s{2,}");
                return columns.length < 3
                        ? "not told"
                        : columns[2].matches("\\d+") ? Quantity.bytes(Long.parseLong(columns[2])) : columns[2];
            }
        }
        return "not told";
    }
}
