// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_functions;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Completion queues and channels: exported functions of {@code libibverbs}, by their C names and with their raw
 * results.
 *
 * <p>Each throws {@link IllegalStateException} with the remedy when the library cannot be used. Pointers are passed on
 * as they are: the caller answers for them.
 */
public final class CompletionCalls {
    private CompletionCalls() {}

    /**
     * {@code ibv_create_comp_channel(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @return the object, or NULL with errno set
     */
    public static MemorySegment ibv_create_comp_channel(MemorySegment context) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.IBV_CREATE_COMP_CHANNEL.invokeExact(Errno.scratch(), context);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_create_comp_channel(3)}.
     *
     * @param channel the event channel
     * @return 0, or the errno value
     */
    public static int ibv_destroy_comp_channel(MemorySegment channel) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_destroy_comp_channel(channel);
    }

    /**
     * {@code ibv_create_cq(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @param cqe least number of entries
     * @param cqContext handed back with each event
     * @param channel the event channel
     * @param vector completion vector
     * @return the object, or NULL with errno set
     */
    public static MemorySegment ibv_create_cq(
            MemorySegment context, int cqe, MemorySegment cqContext, MemorySegment channel, int vector) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment)
                    Handles.IBV_CREATE_CQ.invokeExact(Errno.scratch(), context, cqe, cqContext, channel, vector);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_resize_cq(3)}.
     *
     * @param cq the {@code struct ibv_cq}
     * @param cqe least number of entries
     * @return 0, or the errno value
     */
    public static int ibv_resize_cq(MemorySegment cq, int cqe) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_resize_cq(cq, cqe);
    }

    /**
     * {@code ibv_create_cq(3)}.
     *
     * @param cq the {@code struct ibv_cq}
     * @return 0, or the errno value
     */
    public static int ibv_destroy_cq(MemorySegment cq) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_destroy_cq(cq);
    }

    /**
     * {@code ibv_get_cq_event(3)}.
     *
     * @param channel the event channel
     * @param cqPointer receives the queue
     * @param contextPointer receives the queue's context
     * @return 0, or -1 with errno set
     */
    public static int ibv_get_cq_event(MemorySegment channel, MemorySegment cqPointer, MemorySegment contextPointer) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (int) Handles.IBV_GET_CQ_EVENT.invokeExact(Errno.scratch(), channel, cqPointer, contextPointer);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_get_cq_event(3)}.
     *
     * @param cq the {@code struct ibv_cq}
     * @param events how many to acknowledge
     */
    public static void ibv_ack_cq_events(MemorySegment cq, int events) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        ibverbs_functions.ibv_ack_cq_events(cq, events);
    }

    /** Made at the first call, after the library has been found. */
    private static final class Handles {
        static final MethodHandle IBV_CREATE_COMP_CHANNEL = Downcalls.capturingErrno(
                ibverbs_functions.ibv_create_comp_channel$address(),
                ibverbs_functions.ibv_create_comp_channel$descriptor());
        static final MethodHandle IBV_CREATE_CQ = Downcalls.capturingErrno(
                ibverbs_functions.ibv_create_cq$address(), ibverbs_functions.ibv_create_cq$descriptor());
        static final MethodHandle IBV_GET_CQ_EVENT = Downcalls.capturingErrno(
                ibverbs_functions.ibv_get_cq_event$address(), ibverbs_functions.ibv_get_cq_event$descriptor());
    }
}
