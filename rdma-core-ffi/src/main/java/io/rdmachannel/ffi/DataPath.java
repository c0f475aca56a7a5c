// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The inline verbs of the data path, called through the function pointers of {@link OpsTable}.
 *
 * <p>Pointers go in as {@code long}, so that no object is made per call. Post and poll never block and never call
 * back, so they are linked as {@code critical}, which spares the thread's state change; the figures are in the
 * decision record on critical calls. The caller answers for the addresses: they must be those of live objects.
 */
public final class DataPath {
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);
    private static final MethodHandle POLL =
            Downcalls.through(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG), CRITICAL);
    private static final MethodHandle POST =
            Downcalls.through(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG), CRITICAL);
    private static final MethodHandle NOTIFY = Downcalls.through(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    private DataPath() {}

    /**
     * {@code ibv_poll_cq(3)}.
     *
     * @param function {@link OpsTable#pollCompletionQueue}
     * @param cq address of the {@code struct ibv_cq}
     * @param entries how many completions fit at {@code wc}
     * @param wc address of an array of {@code struct ibv_wc}
     * @return the number of completions taken, or a negative value on failure
     */
    public static int poll_cq(MemorySegment function, long cq, int entries, long wc) {
        try {
            return (int) POLL.invokeExact(function, cq, entries, wc);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_post_send(3)}, {@code ibv_post_recv(3)} and {@code ibv_post_srq_recv(3)}, which have one shape.
     *
     * @param function the matching pointer of {@link OpsTable}
     * @param queue address of the queue pair or shared receive queue
     * @param wr address of the first work request of the chain
     * @param badWr address of a pointer that receives the first request not posted
     * @return 0, or the errno value (some old providers: its negative)
     */
    public static int post(MemorySegment function, long queue, long wr, long badWr) {
        try {
            return (int) POST.invokeExact(function, queue, wr, badWr);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_req_notify_cq(3)}; a system call with some providers, so not critical.
     *
     * @param function {@link OpsTable#requestNotification}
     * @param cq address of the {@code struct ibv_cq}
     * @param solicitedOnly 1 to be told of solicited completions and errors only, else 0
     * @return 0, or the errno value
     */
    public static int req_notify_cq(MemorySegment function, long cq, int solicitedOnly) {
        try {
            return (int) NOTIFY.invokeExact(function, cq, solicitedOnly);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }
}
