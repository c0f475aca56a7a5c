// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The calls of libc that the library needs for memory, placement, limits and waiting, by their C names and with their
 * raw results.
 *
 * <p>Each throws {@link IllegalStateException} with the remedy when native access is not enabled. Pointers are passed
 * on as they are: the caller answers for them.
 */
public final class Libc {
    private Libc() {}

    /**
     * {@code mmap(2)}.
     *
     * @param addr an address, or NULL where the man page allows it
     * @param length bytes
     * @param prot protection bits
     * @param flags flag bits
     * @param fd file descriptor
     * @param offset position in the file
     * @return the mapping, or address -1 with errno set
     */
    public static MemorySegment mmap(MemorySegment addr, long length, int prot, int flags, int fd, long offset) {
        NativeAccess.ensureEnabled();
        try {
            return (MemorySegment) Handles.MMAP.invokeExact(Errno.scratch(), addr, length, prot, flags, fd, offset);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code munmap(2)}.
     *
     * @param addr an address, or NULL where the man page allows it
     * @param length bytes
     * @return 0, or -1 with errno set
     */
    public static int munmap(MemorySegment addr, long length) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.MUNMAP.invokeExact(Errno.scratch(), addr, length);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code mlock(2)}.
     *
     * @param addr an address, or NULL where the man page allows it
     * @param length bytes
     * @return 0, or -1 with errno set
     */
    public static int mlock(MemorySegment addr, long length) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.MLOCK.invokeExact(Errno.scratch(), addr, length);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code mlock(2)}.
     *
     * @param addr an address, or NULL where the man page allows it
     * @param length bytes
     * @return 0, or -1 with errno set
     */
    public static int munlock(MemorySegment addr, long length) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.MUNLOCK.invokeExact(Errno.scratch(), addr, length);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code madvise(2)}.
     *
     * @param addr an address, or NULL where the man page allows it
     * @param length bytes
     * @param advice a {@code MADV_} value
     * @return 0, or -1 with errno set
     */
    public static int madvise(MemorySegment addr, long length, int advice) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.MADVISE.invokeExact(Errno.scratch(), addr, length, advice);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code mbind(2)}, for which libc has no function of its own: through {@code syscall(2)}.
     *
     * @param addr start of the memory, on a page boundary
     * @param length bytes
     * @param mode an {@code MPOL_} value
     * @param nodemask bits of the nodes, in 64-bit words
     * @param maxnode how many bits of the mask count
     * @param flags {@code MPOL_MF_} bits
     * @return 0, or -1 with errno set
     */
    public static long mbind(
            MemorySegment addr, long length, int mode, MemorySegment nodemask, long maxnode, int flags) {
        NativeAccess.ensureEnabled();
        try {
            return (long) Handles.MBIND.invokeExact(
                    Errno.scratch(), (long) libc.SYS_mbind(), addr, length, (long) mode, nodemask, maxnode, (long)
                            flags);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code sched_setaffinity(2)}.
     *
     * @param pid thread id, 0 for the caller
     * @param setSize bytes of the set
     * @param set the processor set
     * @return 0, or -1 with errno set
     */
    public static int sched_setaffinity(int pid, long setSize, MemorySegment set) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.SCHED_SETAFFINITY.invokeExact(Errno.scratch(), pid, setSize, set);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code sched_setaffinity(2)}.
     *
     * @param pid thread id, 0 for the caller
     * @param setSize bytes of the set
     * @param set the processor set
     * @return 0, or -1 with errno set
     */
    public static int sched_getaffinity(int pid, long setSize, MemorySegment set) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.SCHED_GETAFFINITY.invokeExact(Errno.scratch(), pid, setSize, set);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code getrlimit(2)}.
     *
     * @param resource a {@code RLIMIT_} value
     * @param limits receives the {@code struct rlimit}
     * @return 0, or -1 with errno set
     */
    public static int getrlimit(int resource, MemorySegment limits) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.GETRLIMIT.invokeExact(Errno.scratch(), resource, limits);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code sysconf(3)}.
     *
     * @param name a {@code _SC_} value
     * @return the value, or -1
     */
    public static long sysconf(int name) {
        NativeAccess.ensureEnabled();
        try {
            return (long) Handles.SYSCONF.invokeExact(Errno.scratch(), name);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code poll(2)}.
     *
     * @param fds array of {@code struct pollfd}
     * @param nfds its length
     * @param timeoutMs milliseconds; -1 waits without limit
     * @return how many are ready, 0 at the time limit, or -1 with errno set
     */
    public static int poll(MemorySegment fds, long nfds, int timeoutMs) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.POLL.invokeExact(Errno.scratch(), fds, nfds, timeoutMs);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code eventfd(2)}.
     *
     * @param initial initial count
     * @param flags flag bits
     * @return a file descriptor, or -1 with errno set
     */
    public static int eventfd(int initial, int flags) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.EVENTFD.invokeExact(Errno.scratch(), initial, flags);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code read(2)}.
     *
     * @param fd file descriptor
     * @param buffer the bytes
     * @param bytes how many
     * @return bytes read, or -1 with errno set
     */
    public static long read(int fd, MemorySegment buffer, long bytes) {
        NativeAccess.ensureEnabled();
        try {
            return (long) Handles.READ.invokeExact(Errno.scratch(), fd, buffer, bytes);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code write(2)}.
     *
     * @param fd file descriptor
     * @param buffer the bytes
     * @param bytes how many
     * @return bytes written, or -1 with errno set
     */
    public static long write(int fd, MemorySegment buffer, long bytes) {
        NativeAccess.ensureEnabled();
        try {
            return (long) Handles.WRITE.invokeExact(Errno.scratch(), fd, buffer, bytes);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code close(2)}.
     *
     * @param fd file descriptor
     * @return 0, or -1 with errno set
     */
    public static int close(int fd) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.CLOSE.invokeExact(Errno.scratch(), fd);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code fcntl(2)} with an integer argument.
     *
     * @param fd file descriptor
     * @param command an {@code F_} value
     * @param argument its argument; 0 where the command takes none
     * @return what the command returns, or -1 with errno set
     */
    public static int fcntl(int fd, int command, int argument) {
        NativeAccess.ensureEnabled();
        try {
            return (int) Handles.FCNTL.invokeExact(Errno.scratch(), fd, command, argument);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /** Made at the first call, after native access has been checked. */
    private static final class Handles {
        static final MethodHandle FCNTL = Downcalls.capturingErrnoVariadic(
                libc.fcntl.address(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                2);
        static final MethodHandle MBIND = Downcalls.capturingErrnoVariadic(
                libc.syscall.address(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                1);
        static final MethodHandle MMAP = Downcalls.capturingErrno(libc.mmap$address(), libc.mmap$descriptor());
        static final MethodHandle MUNMAP = Downcalls.capturingErrno(libc.munmap$address(), libc.munmap$descriptor());
        static final MethodHandle MLOCK = Downcalls.capturingErrno(libc.mlock$address(), libc.mlock$descriptor());
        static final MethodHandle MUNLOCK = Downcalls.capturingErrno(libc.munlock$address(), libc.munlock$descriptor());
        static final MethodHandle MADVISE = Downcalls.capturingErrno(libc.madvise$address(), libc.madvise$descriptor());
        static final MethodHandle SCHED_SETAFFINITY =
                Downcalls.capturingErrno(libc.sched_setaffinity$address(), libc.sched_setaffinity$descriptor());
        static final MethodHandle SCHED_GETAFFINITY =
                Downcalls.capturingErrno(libc.sched_getaffinity$address(), libc.sched_getaffinity$descriptor());
        static final MethodHandle GETRLIMIT =
                Downcalls.capturingErrno(libc.getrlimit$address(), libc.getrlimit$descriptor());
        static final MethodHandle SYSCONF = Downcalls.capturingErrno(libc.sysconf$address(), libc.sysconf$descriptor());
        static final MethodHandle POLL = Downcalls.capturingErrno(libc.poll$address(), libc.poll$descriptor());
        static final MethodHandle EVENTFD = Downcalls.capturingErrno(libc.eventfd$address(), libc.eventfd$descriptor());
        static final MethodHandle READ = Downcalls.capturingErrno(libc.read$address(), libc.read$descriptor());
        static final MethodHandle WRITE = Downcalls.capturingErrno(libc.write$address(), libc.write$descriptor());
        static final MethodHandle CLOSE = Downcalls.capturingErrno(libc.close$address(), libc.close$descriptor());
    }
}
