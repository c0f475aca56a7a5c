// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.libc.libc;
import io.rdmachannel.ffi.generated.libc.pollfd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/**
 * Waits on a file descriptor with a deadline, and can be woken by another thread: through an eventfd beside the awaited
 * descriptor. Any number of threads may wait.
 */
public final class EventWait {
    private static final ThreadLocal<MemorySegment> POLL_SET =
            ThreadLocal.withInitial(() -> pollfd.allocateArray(2, Arena.ofAuto()));
    private static final ThreadLocal<MemorySegment> COUNTER =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(ValueLayout.JAVA_LONG));
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final int descriptor;
    private final int wakeDescriptor;

    private EventWait(int descriptor, int wakeDescriptor) {
        this.descriptor = descriptor;
        this.wakeDescriptor = wakeDescriptor;
    }

    /**
     * Prepares to wait on a descriptor, which is made non-blocking.
     *
     * @param descriptor an open file descriptor; it stays the caller's to close
     * @return the wait, to be closed before the descriptor
     * @throws IllegalStateException if the process has no more file descriptors
     */
    public static EventWait on(int descriptor) {
        int flags = Libc.fcntl(descriptor, libc.F_GETFL(), 0);
        if (flags < 0 || Libc.fcntl(descriptor, libc.F_SETFL(), flags | libc.O_NONBLOCK()) < 0) {
            throw failure("fcntl", "making descriptor " + descriptor + " non-blocking");
        }
        int wake = Libc.eventfd(0, libc.EFD_NONBLOCK() | libc.EFD_CLOEXEC());
        if (wake < 0) {
            throw failure("eventfd", "one more descriptor (see ulimit -n)");
        }
        return new EventWait(descriptor, wake);
    }

    /**
     * Waits until the descriptor is readable. It cannot be interrupted, only woken.
     *
     * @param timeoutNanos how long at most; 0 only looks
     * @return true when readable, false at the time limit or when woken
     */
    public boolean await(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        MemorySegment set = POLL_SET.get();
        arm(set, 0, descriptor);
        arm(set, 1, wakeDescriptor);
        while (true) {
            int ready = Libc.poll(set, 2, millisUntil(deadline));
            if (ready < 0 && Errno.captured() != libc.EINTR()) {
                throw failure("poll", "waiting on descriptor " + descriptor);
            }
            if (ready >= 0) {
                return isReadyUnlessWoken(set);
            }
        }
    }

    /**
     * Makes one wait return: a present one, or the next. Whoever must end several waits calls again until they have
     * ended.
     */
    public void wake() {
        MemorySegment one = COUNTER.get();
        one.set(ValueLayout.JAVA_LONG, 0, 1L);
        if (Libc.write(wakeDescriptor, one, Long.BYTES) < 0 && Errno.captured() != libc.EAGAIN()) {
            throw failure("write", "waking a waiter");
        }
    }

    /**
     * Frees the eventfd; nobody may wait any more. Linux frees a descriptor also when close reports a failure, so
     * whoever closes may go on; only a descriptor that was not open is a mistake, of this library.
     */
    public void close() {
        if (Libc.close(wakeDescriptor) < 0 && Errno.captured() == libc.EBADF()) {
            throw new AssertionError("the eventfd " + wakeDescriptor + " was closed by somebody else");
        }
    }

    private static void arm(MemorySegment set, int index, int fd) {
        MemorySegment entry = pollfd.asSlice(set, index);
        pollfd.fd(entry, fd);
        pollfd.events(entry, (short) libc.POLLIN());
        pollfd.revents(entry, (short) 0);
    }

    private boolean isReadyUnlessWoken(MemorySegment set) {
        if (isReady(set, 1)) {
            consumeWake();
            return false;
        }
        return isReady(set, 0);
    }

    /** Another waiter may have been faster; then there is nothing to read, which is as well. */
    private void consumeWake() {
        if (Libc.read(wakeDescriptor, COUNTER.get(), Long.BYTES) < 0 && Errno.captured() != libc.EAGAIN()) {
            throw failure("read", "taking back a wake-up");
        }
    }

    private static boolean isReady(MemorySegment set, int index) {
        return pollfd.revents(pollfd.asSlice(set, index)) != 0;
    }

    private static int millisUntil(long deadline) {
        return millis(deadline - System.nanoTime());
    }

    /** What poll is to wait for: rounded up, never negative, since poll takes that for no limit at all. */
    static int millis(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(Math.max(0, nanos), NANOS_PER_MILLI));
    }

    private static IllegalStateException failure(String call, String asked) {
        return new IllegalStateException(call + " failed with " + Errno.describe(Errno.captured()) + ": " + asked);
    }
}
