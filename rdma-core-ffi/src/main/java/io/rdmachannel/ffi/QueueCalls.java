// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_functions;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Queue pairs, shared receive queues and address handles: exported functions of {@code libibverbs}, by their C names
 * and with their raw results.
 *
 * <p>Each throws {@link IllegalStateException} with the remedy when the library cannot be used. Pointers are passed on
 * as they are: the caller answers for them.
 */
public final class QueueCalls {
    private QueueCalls() {}

    /**
     * {@code ibv_create_srq(3)}.
     *
     * @param pd the {@code struct ibv_pd}
     * @param initAttr the attributes of creation
     * @return the object, or NULL with errno set
     */
    public static MemorySegment ibv_create_srq(MemorySegment pd, MemorySegment initAttr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.IBV_CREATE_SRQ.invokeExact(Errno.scratch(), pd, initAttr);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_modify_srq(3)}.
     *
     * @param srq the {@code struct ibv_srq}
     * @param attr the attribute structure to fill or read
     * @param mask which attributes are meant
     * @return 0, or the errno value
     */
    public static int ibv_modify_srq(MemorySegment srq, MemorySegment attr, int mask) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_modify_srq(srq, attr, mask);
    }

    /**
     * {@code ibv_query_srq(3)}.
     *
     * @param srq the {@code struct ibv_srq}
     * @param attr the attribute structure to fill or read
     * @return 0, or the errno value
     */
    public static int ibv_query_srq(MemorySegment srq, MemorySegment attr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_query_srq(srq, attr);
    }

    /**
     * {@code ibv_create_srq(3)}.
     *
     * @param srq the {@code struct ibv_srq}
     * @return 0, or the errno value
     */
    public static int ibv_destroy_srq(MemorySegment srq) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_destroy_srq(srq);
    }

    /**
     * {@code ibv_create_qp(3)}.
     *
     * @param pd the {@code struct ibv_pd}
     * @param initAttr the attributes of creation
     * @return the object, or NULL with errno set
     */
    public static MemorySegment ibv_create_qp(MemorySegment pd, MemorySegment initAttr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.IBV_CREATE_QP.invokeExact(Errno.scratch(), pd, initAttr);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_modify_qp(3)}.
     *
     * @param qp the {@code struct ibv_qp}
     * @param attr the attribute structure to fill or read
     * @param mask which attributes are meant
     * @return 0, or the errno value
     */
    public static int ibv_modify_qp(MemorySegment qp, MemorySegment attr, int mask) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_modify_qp(qp, attr, mask);
    }

    /**
     * {@code ibv_query_qp(3)}.
     *
     * @param qp the {@code struct ibv_qp}
     * @param attr the attribute structure to fill or read
     * @param mask which attributes are meant
     * @param initAttr the attributes of creation
     * @return 0, or the errno value
     */
    public static int ibv_query_qp(MemorySegment qp, MemorySegment attr, int mask, MemorySegment initAttr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_query_qp(qp, attr, mask, initAttr);
    }

    /**
     * {@code ibv_create_qp(3)}.
     *
     * @param qp the {@code struct ibv_qp}
     * @return 0, or the errno value
     */
    public static int ibv_destroy_qp(MemorySegment qp) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_destroy_qp(qp);
    }

    /**
     * {@code ibv_create_ah(3)}.
     *
     * @param pd the {@code struct ibv_pd}
     * @param attr the attribute structure to fill or read
     * @return the object, or NULL with errno set
     */
    public static MemorySegment ibv_create_ah(MemorySegment pd, MemorySegment attr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.IBV_CREATE_AH.invokeExact(Errno.scratch(), pd, attr);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_create_ah(3)}.
     *
     * @param ah the {@code struct ibv_ah}
     * @return 0, or the errno value
     */
    public static int ibv_destroy_ah(MemorySegment ah) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_destroy_ah(ah);
    }

    /** Made at the first call, after the library has been found. */
    private static final class Handles {
        static final MethodHandle IBV_CREATE_SRQ = Downcalls.capturingErrno(
                ibverbs_functions.ibv_create_srq$address(), ibverbs_functions.ibv_create_srq$descriptor());
        static final MethodHandle IBV_CREATE_QP = Downcalls.capturingErrno(
                ibverbs_functions.ibv_create_qp$address(), ibverbs_functions.ibv_create_qp$descriptor());
        static final MethodHandle IBV_CREATE_AH = Downcalls.capturingErrno(
                ibverbs_functions.ibv_create_ah$address(), ibverbs_functions.ibv_create_ah$descriptor());
    }
}
