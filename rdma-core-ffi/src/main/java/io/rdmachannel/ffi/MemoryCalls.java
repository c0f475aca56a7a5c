// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.ibverbs.ibv_context_ops;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_functions;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Protection domains and memory: exported functions of {@code libibverbs}, by their C names and with their raw results.
 *
 * <p>Each throws {@link IllegalStateException} with the remedy when the library cannot be used. Pointers are passed on
 * as they are: the caller answers for them.
 */
public final class MemoryCalls {
    private MemoryCalls() {}

    /**
     * {@code ibv_alloc_pd(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @return the object, or NULL with errno set
     */
    public static MemorySegment ibv_alloc_pd(MemorySegment context) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.IBV_ALLOC_PD.invokeExact(Errno.scratch(), context);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_alloc_pd(3)}.
     *
     * @param pd the {@code struct ibv_pd}
     * @return 0, or the errno value
     */
    public static int ibv_dealloc_pd(MemorySegment pd) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_dealloc_pd(pd);
    }

    /**
     * {@code ibv_reg_mr(3)}.
     *
     * @param mr the {@code struct ibv_mr}
     * @return 0, or the errno value
     */
    public static int ibv_dereg_mr(MemorySegment mr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_dereg_mr(mr);
    }

    /**
     * {@code ibv_reg_mr(3)} as the header's macro does it: optional access flags go to {@code ibv_reg_mr_iova2}, which
     * drops those that the kernel does not know; without them the older function is called.
     *
     * @param pd the {@code struct ibv_pd}
     * @param addr start of the memory
     * @param length bytes
     * @param access bits of {@code enum ibv_access_flags}
     * @return the region, or NULL with errno set
     */
    public static MemorySegment ibv_reg_mr(MemorySegment pd, MemorySegment addr, long length, int access) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        boolean optional = (access & ibverbs_constants.IBV_ACCESS_OPTIONAL_RANGE()) != 0;
        try {
            if (optional && NativeLibrary.LIBIBVERBS.has("ibv_reg_mr_iova2")) {
                return (MemorySegment) OptionalHandles.IBV_REG_MR_IOVA2.invokeExact(
                        Errno.scratch(), pd, addr, length, addr.address(), access);
            }
            int required = access & ~ibverbs_constants.IBV_ACCESS_OPTIONAL_RANGE();
            return (MemorySegment) Handles.IBV_REG_MR.invokeExact(Errno.scratch(), pd, addr, length, required);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_alloc_mw(3)}, an inline verb.
     *
     * @param ops the context's function pointers, of which {@code allocateMemoryWindow} must not be null
     * @param pd the {@code struct ibv_pd}
     * @param type a value of {@code enum ibv_mw_type}
     * @return the window, or NULL with errno set
     */
    public static MemorySegment ibv_alloc_mw(OpsTable ops, MemorySegment pd, int type) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.ALLOC_MW.invokeExact(ops.allocateMemoryWindow(), Errno.scratch(), pd, type);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_dealloc_mw(3)}, an inline verb.
     *
     * @param ops the context's function pointers
     * @param mw the {@code struct ibv_mw}
     * @return 0, or the errno value
     */
    public static int ibv_dealloc_mw(OpsTable ops, MemorySegment mw) {
        return ibv_context_ops.dealloc_mw.invoke(ops.deallocateMemoryWindow(), mw);
    }

    /**
     * {@code ibv_bind_mw(3)}, an inline verb, without the checks that the header makes first.
     *
     * @param ops the context's function pointers
     * @param qp the {@code struct ibv_qp}
     * @param mw the {@code struct ibv_mw}, of type 1
     * @param bind the {@code struct ibv_mw_bind}
     * @return 0, or the errno value
     */
    public static int ibv_bind_mw(OpsTable ops, MemorySegment qp, MemorySegment mw, MemorySegment bind) {
        return ibv_context_ops.bind_mw.invoke(ops.bindMemoryWindow(), qp, mw, bind);
    }

    /** Made at the first call, after the library has been found. */
    private static final class Handles {
        static final MethodHandle IBV_REG_MR = Downcalls.capturingErrno(
                ibverbs_functions.ibv_reg_mr$address(), ibverbs_functions.ibv_reg_mr$descriptor());
        static final MethodHandle ALLOC_MW = Downcalls.capturingErrno(ibv_context_ops.alloc_mw.descriptor());
        static final MethodHandle IBV_ALLOC_PD = Downcalls.capturingErrno(
                ibverbs_functions.ibv_alloc_pd$address(), ibverbs_functions.ibv_alloc_pd$descriptor());
    }

    /** Apart, since older libraries lack the function. */
    private static final class OptionalHandles {
        static final MethodHandle IBV_REG_MR_IOVA2 = Downcalls.capturingErrno(
                ibverbs_functions.ibv_reg_mr_iova2$address(), ibverbs_functions.ibv_reg_mr_iova2$descriptor());
    }
}
