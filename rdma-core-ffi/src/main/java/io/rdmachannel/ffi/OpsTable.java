// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.ibverbs.ibv_context;
import io.rdmachannel.ffi.generated.ibverbs.ibv_context_ops;
import io.rdmachannel.ffi.generated.ibverbs.verbs_context;
import java.lang.foreign.MemorySegment;

/**
 * The function pointers through which {@code infiniband/verbs.h} makes its inline verbs, read once from an open
 * {@code struct ibv_context}.
 *
 * @param pollCompletionQueue {@code ops.poll_cq}
 * @param requestNotification {@code ops.req_notify_cq}
 * @param postSend {@code ops.post_send}
 * @param postReceive {@code ops.post_recv}
 * @param postSharedReceive {@code ops.post_srq_recv}
 * @param allocateMemoryWindow {@code ops.alloc_mw}; a null pointer where the provider has none
 * @param bindMemoryWindow {@code ops.bind_mw}; a null pointer where the provider has none
 * @param deallocateMemoryWindow {@code ops.dealloc_mw}; a null pointer where the provider has none
 * @param queryPort {@code verbs_context.query_port}; a null pointer where the library is too old for it
 */
public record OpsTable(
        MemorySegment pollCompletionQueue,
        MemorySegment requestNotification,
        MemorySegment postSend,
        MemorySegment postReceive,
        MemorySegment postSharedReceive,
        MemorySegment allocateMemoryWindow,
        MemorySegment bindMemoryWindow,
        MemorySegment deallocateMemoryWindow,
        MemorySegment queryPort) {

    /** {@code __VERBS_ABI_IS_EXTENDED}: a verbs_context lies in front of the ibv_context. */
    private static final long ABI_IS_EXTENDED = -1L;

    /**
     * Reads the table of an open context.
     *
     * @param context address of a {@code struct ibv_context}
     * @return its function pointers
     */
    public static OpsTable of(MemorySegment context) {
        MemorySegment sized = Pointers.view(context, ibv_context.sizeof());
        MemorySegment ops = ibv_context.ops(sized);
        return new OpsTable(
                ibv_context_ops.poll_cq(ops),
                ibv_context_ops.req_notify_cq(ops),
                ibv_context_ops.post_send(ops),
                ibv_context_ops.post_recv(ops),
                ibv_context_ops.post_srq_recv(ops),
                ibv_context_ops.alloc_mw(ops),
                ibv_context_ops.bind_mw(ops),
                ibv_context_ops.dealloc_mw(ops),
                extendedQueryPort(sized));
    }

    /** What {@code verbs_get_ctx_op} does: the structure grows at its front, so its size says which fields exist. */
    private static MemorySegment extendedQueryPort(MemorySegment context) {
        if (ibv_context.abi_compat(context).address() != ABI_IS_EXTENDED) {
            return MemorySegment.NULL;
        }
        long start = context.address() - verbs_context.context$offset();
        MemorySegment extended = Pointers.view(start, verbs_context.sizeof());
        long needed = verbs_context.sizeof() - verbs_context.query_port$offset();
        return verbs_context.sz(extended) < needed ? MemorySegment.NULL : verbs_context.query_port(extended);
    }
}
