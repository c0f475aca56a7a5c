// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.ffi.Libc;
import io.rdmachannel.ffi.MemoryConstants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this process may still lock and pin: a snapshot of {@code RLIMIT_MEMLOCK} and of {@code /proc/self/status}.
 *
 * <p>The kernel keeps two counts against the same limit, one for {@code mlock(2)} and one for memory that drivers pin,
 * and exempts processes with {@code CAP_IPC_LOCK} from both; the capability counts in the initial user namespace only,
 * so "root" of a rootless container does not have it.
 *
 * @param limitBytes the soft limit; {@link Long#MAX_VALUE} for none
 * @param lockedBytes what {@code mlock(2)} holds ({@code VmLck})
 * @param pinnedBytes what drivers hold ({@code VmPin})
 * @param exempt whether the limit does not apply
 */
public record LockedMemory(long limitBytes, long lockedBytes, long pinnedBytes, boolean exempt) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path USER_NAMESPACE = Path.of("/proc/self/uid_map");
    private static final int CAP_IPC_LOCK = 14;
    private static final long WHOLE_UID_RANGE = 4294967295L;
    private static final String REFUSAL = """
            %s %s does not fit: the limit on locked memory (RLIMIT_MEMLOCK) of this process is %s, of which %s is %s \
            already, and the process lacks CAP_IPC_LOCK. Make the pool smaller, or raise the limit to at least %s \
            where this process is started: in a shell, 'ulimit -l %d' (kibibytes; the hard limit is set in \
            /etc/security/limits.conf); in a systemd unit, 'LimitMEMLOCK=infinity'; in a container, \
            'docker run --ulimit memlock=-1:-1' or '--cap-add IPC_LOCK'; in Kubernetes, \
            'securityContext.capabilities.add: [IPC_LOCK]', or LimitMEMLOCK of the container runtime's unit.""";

    /**
     * Reads the present values.
     *
     * @return a snapshot
     * @throws UncheckedIOException if {@code /proc} cannot be read
     */
    public static LockedMemory read() {
        try {
            List<String> status = Files.readAllLines(STATUS);
            List<String> uidMap = Files.exists(USER_NAMESPACE) ? Files.readAllLines(USER_NAMESPACE) : List.of();
            return parse(limit(), status, uidMap);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read how much memory this process has locked", unreadable);
        }
    }

    /**
     * Gives what may still be pinned by registration.
     *
     * @return bytes; {@link Long#MAX_VALUE} without limit
     */
    public long roomToPin() {
        return room(pinnedBytes);
    }

    /**
     * Gives what may still be locked by {@code mlock(2)}.
     *
     * @return bytes; {@link Long#MAX_VALUE} without limit
     */
    public long roomToLock() {
        return room(lockedBytes);
    }

    /**
     * Checks that registration may pin some bytes more.
     *
     * @param bytes how many, counted once for each registration
     * @throws MemoryLimitException if they do not fit
     */
    public void requireRoomToPin(long bytes) {
        if (bytes > roomToPin()) {
            throw refusalToPin(bytes);
        }
    }

    MemoryLimitException refusalToPin(long bytes) {
        return refusal("registering", "pinned", bytes, pinnedBytes);
    }

    MemoryLimitException refusalToLock(long bytes) {
        return refusal("locking", "locked", bytes, lockedBytes);
    }

    static LockedMemory parse(long limit, List<String> status, List<String> uidMap) {
        boolean capable = (hex(status, "CapEff") >>> CAP_IPC_LOCK & 1) != 0;
        return new LockedMemory(
                limit, kibibytes(status, "VmLck"), kibibytes(status, "VmPin"), capable && isInitialNamespace(uidMap));
    }

    private long room(long used) {
        boolean unlimited = exempt || limitBytes == Long.MAX_VALUE;
        return unlimited ? Long.MAX_VALUE : Math.max(0, limitBytes - used);
    }

    private MemoryLimitException refusal(String doing, String done, long bytes, long used) {
        String message = REFUSAL.formatted(
                doing,
                Bytes.text(bytes),
                Bytes.text(limitBytes),
                Bytes.text(used),
                done,
                Bytes.text(used + bytes),
                Math.ceilDiv(used + bytes, 1024));
        return new MemoryLimitException(message, bytes, limitBytes, used);
    }

    private static long limit() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(ValueLayout.JAVA_LONG, 2);
            if (Libc.getrlimit(MemoryConstants.RLIMIT_MEMLOCK, limits) != 0) {
                return Long.MAX_VALUE;
            }
            long soft = limits.get(ValueLayout.JAVA_LONG, 0);
            return soft == MemoryConstants.RLIM_INFINITY || soft < 0 ? Long.MAX_VALUE : soft;
        }
    }

    private static boolean isInitialNamespace(List<String> uidMap) {
        return uidMap.isEmpty()
                || uidMap.size() == 1 && uidMap.getFirst().strip().matches("0\\s+0\\s+" + WHOLE_UID_RANGE);
    }

    private static long kibibytes(List<String> status, String name) {
        String value = value(status, name, "(\\d+)\\s+kB");
        return value == null ? 0 : Long.parseLong(value) * 1024;
    }

    private static long hex(List<String> status, String name) {
        String value = value(status, name, "([0-9a-fA-F]+)");
        return value == null ? 0 : Long.parseUnsignedLong(value, 16);
    }

    private static String value(List<String> status, String name, String form) {
        Pattern pattern = Pattern.compile(name + ":\\s+" + form);
        for (String line : status) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                return matcher.group(1);
            }
        }
        return null;
    }
}
