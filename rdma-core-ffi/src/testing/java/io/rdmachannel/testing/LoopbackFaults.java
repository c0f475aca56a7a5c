// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.rdmachannel.verbs.WorkCompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Tells the stand-in what is to go wrong, and asks it what there is; {@code loopback.h} beside its sources has the
 * whole. Any thread may call, at any time. What was told is taken back by {@link #reset}, which {@link LoopbackTest}
 * does after each test.
 */
public final class LoopbackFaults {
    /** Instead of a queue pair's number: whichever comes first. */
    public static final int ANY = 0;

    /** {@code EIO}. */
    public static final int EIO = 5;

    /** {@code ENOMEM}. */
    public static final int ENOMEM = 12;

    /** {@code EBUSY}. */
    public static final int EBUSY = 16;

    /** {@code EINVAL}. */
    public static final int EINVAL = 22;

    private static final int STATUS_MAX = 64;
    private static final List<String> KINDS =
            List.of("device_lists", "contexts", "pds", "mrs", "comp_channels", "cqs", "srqs", "qps");

    private LoopbackFaults() {}

    /** Which work, or which completions. */
    public enum Work {
        /** What was posted to a send queue. */
        SENDS(1),
        /** What was posted to a receive queue. */
        RECEIVES(2),
        /** Both. */
        ALL(3);

        private final int bits;

        Work(int bits) {
            this.bits = bits;
        }
    }

    /** Makes the next call of a function fail, by its name in C. */
    public static void failNextCall(String function, int errno) {
        failCalls(function, 0, 1, errno);
    }

    /** Lets some calls of a function go through, and makes as many after them fail as told. */
    public static void failCalls(String function, int skip, int count, int errno) {
        try (Arena arena = Arena.ofConfined()) {
            require((int) Functions.FAIL_CALL.invokeExact(arena.allocateFrom(function), skip, count, errno), function);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Lets some work of a queue pair be carried out, and ends the next piece with an error. */
    public static void failWork(int queuePair, Work work, int skip, WorkCompletionStatus status, int vendorError) {
        int raw = raw(status);
        try {
            require((int) Functions.FAIL_WORK.invokeExact(queuePair, work.bits, skip, raw, vendorError), status);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Lets some completions be, and loses as many after them as told. */
    public static void dropCompletions(int queuePair, Work work, int skip, int count) {
        try {
            require((int) Functions.DROP.invokeExact(queuePair, work.bits, skip, count), work);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Keeps completions back until they are released. */
    public static void holdCompletions(int queuePair, Work work) {
        try {
            require((int) Functions.HOLD.invokeExact(queuePair, work.bits), work);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Hands out what was kept back; returns how many there were. */
    public static int releaseCompletions() {
        try {
            return (int) Functions.RELEASE.invokeExact();
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Overruns the completion queues of a queue pair, or with {@link #ANY} all there are. */
    public static void overrun(int queuePair) {
        tell(Functions.OVERRUN, queuePair);
    }

    /** Takes the port of a device down, or up again. */
    public static void setPort(int device, boolean active) {
        try {
            require((int) Functions.SET_PORT.invokeExact(device, active ? 1 : 0), device);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Moves a queue pair to its error state, as a fault of the device does. */
    public static void breakQueuePair(int queuePair) {
        tell(Functions.BREAK_QUEUE_PAIR, queuePair);
    }

    /** Breaks a device for good: until the reset nothing can be made on it. */
    public static void breakDevice(int device) {
        tell(Functions.BREAK_DEVICE, device);
    }

    /** Removes a device under those who have it open: what they destroy is destroyed already ({@code EIO}). */
    public static void removeDevice(int device) {
        tell(Functions.REMOVE_DEVICE, device);
    }

    /** Adds a device that was removed: a new one of the same name. */
    public static void addDevice(int device) {
        tell(Functions.ADD_DEVICE, device);
    }

    /** Takes everything back that has been told. */
    public static void reset() {
        try {
            Functions.RESET.invokeExact();
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** How often a function was called in this process; polls that found nothing are left out. */
    public static long calls(String function) {
        try (Arena arena = Arena.ofConfined()) {
            long count = (long) Functions.CALLS.invokeExact(arena.allocateFrom(function));
            require(count < 0 ? -1 : 0, function);
            return count;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** How many objects of each kind there are. */
    public static Map<String, Integer> live() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            for (String kind : KINDS) {
                counts.put(kind, (int) Functions.LIVE.invokeExact(arena.allocateFrom(kind)));
            }
            return counts;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** The numbers of the queue pairs there are, oldest first. */
    public static int[] queuePairs() {
        int room = 1 << 14;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(JAVA_INT, room);
            int count = (int) Functions.QUEUE_PAIRS.invokeExact(numbers, room);
            return numbers.asSlice(0, count * ValueLayout.JAVA_INT.byteSize()).toArray(JAVA_INT);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static int raw(WorkCompletionStatus status) {
        IntPredicate isIt = raw -> WorkCompletionStatus.of(raw) == status;
        return IntStream.range(0, STATUS_MAX).filter(isIt).findFirst().orElseThrow();
    }

    private static void tell(MethodHandle function, int number) {
        try {
            require((int) function.invokeExact(number), number);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static void require(int result, Object told) {
        if (result != 0) {
            throw new IllegalArgumentException("the stand-in knows nothing of \"" + told
                    + "\", or has been told too much: see loopback.h for what there is");
        }
    }

    private static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        throw thrown instanceof Error error ? error : new AssertionError("a downcall throws nothing else", thrown);
    }

    /** Made when the first fault is told, which is after the library was loaded. */
    private static final class Functions {
        static final MethodHandle FAIL_CALL =
                function("loopback_fail_call", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle FAIL_WORK = function(
                "loopback_fail_work",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle DROP = function(
                "loopback_drop_completions", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle HOLD =
                function("loopback_hold_completions", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle RELEASE = function("loopback_release_completions", FunctionDescriptor.of(JAVA_INT));
        static final MethodHandle OVERRUN = function("loopback_overrun", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle SET_PORT =
                function("loopback_set_port", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle BREAK_QUEUE_PAIR =
                function("loopback_break_queue_pair", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle BREAK_DEVICE =
                function("loopback_break_device", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle REMOVE_DEVICE =
                function("loopback_remove_device", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle ADD_DEVICE =
                function("loopback_add_device", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle RESET = function("loopback_reset", FunctionDescriptor.ofVoid());
        static final MethodHandle CALLS = function("loopback_calls", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
        static final MethodHandle LIVE = function("loopback_live", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle QUEUE_PAIRS =
                function("loopback_queue_pairs", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

        private Functions() {}

        private static MethodHandle function(String name, FunctionDescriptor descriptor) {
            return LoopbackVerbs.function(name, descriptor);
        }
    }
}
