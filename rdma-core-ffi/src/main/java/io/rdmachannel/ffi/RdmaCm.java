// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.rdmacm.rdmacm_functions;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The connection manager: exported functions of {@code librdmacm}, by their C names and with their raw results.
 *
 * <p>Each throws {@link IllegalStateException} with the remedy when the library cannot be used. Pointers are passed on
 * as they are: the caller answers for them.
 */
public final class RdmaCm {
    private RdmaCm() {}

    /**
     * {@code rdma_create_event_channel(3)}.
     *
     * @return the object, or NULL with errno set
     */
    public static MemorySegment rdma_create_event_channel() {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (MemorySegment) Handles.RDMA_CREATE_EVENT_CHANNEL.invokeExact(Errno.scratch());
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_destroy_event_channel(3)}.
     *
     * @param channel the event channel
     */
    public static void rdma_destroy_event_channel(MemorySegment channel) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        rdmacm_functions.rdma_destroy_event_channel(channel);
    }

    /**
     * {@code rdma_get_cm_event(3)}.
     *
     * @param channel the event channel
     * @param eventPointer receives the event
     * @return 0, or -1 with errno set
     */
    public static int rdma_get_cm_event(MemorySegment channel, MemorySegment eventPointer) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_GET_CM_EVENT.invokeExact(Errno.scratch(), channel, eventPointer);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_ack_cm_event(3)}.
     *
     * @param event the event
     * @return 0, or -1 with errno set
     */
    public static int rdma_ack_cm_event(MemorySegment event) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_ACK_CM_EVENT.invokeExact(Errno.scratch(), event);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_create_id(3)}.
     *
     * @param channel the event channel
     * @param idPointer receives the identifier
     * @param userContext handed back with each event
     * @param space a value of {@code enum rdma_port_space}
     * @return 0, or -1 with errno set
     */
    public static int rdma_create_id(
            MemorySegment channel, MemorySegment idPointer, MemorySegment userContext, int space) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_CREATE_ID.invokeExact(Errno.scratch(), channel, idPointer, userContext, space);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_destroy_id(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @return 0, or -1 with errno set
     */
    public static int rdma_destroy_id(MemorySegment id) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_DESTROY_ID.invokeExact(Errno.scratch(), id);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_set_option(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param level the option's level
     * @param name the option
     * @param value its value
     * @param valueLength its size
     * @return 0, or -1 with errno set
     */
    public static int rdma_set_option(MemorySegment id, int level, int name, MemorySegment value, long valueLength) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_SET_OPTION.invokeExact(Errno.scratch(), id, level, name, value, valueLength);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_bind_addr(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param addr start of the memory
     * @return 0, or -1 with errno set
     */
    public static int rdma_bind_addr(MemorySegment id, MemorySegment addr) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_BIND_ADDR.invokeExact(Errno.scratch(), id, addr);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_resolve_addr(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param srcAddr a socket address, or NULL
     * @param dstAddr a socket address
     * @param timeoutMs milliseconds
     * @return 0, or -1 with errno set
     */
    public static int rdma_resolve_addr(MemorySegment id, MemorySegment srcAddr, MemorySegment dstAddr, int timeoutMs) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_RESOLVE_ADDR.invokeExact(Errno.scratch(), id, srcAddr, dstAddr, timeoutMs);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_resolve_route(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param timeoutMs milliseconds
     * @return 0, or -1 with errno set
     */
    public static int rdma_resolve_route(MemorySegment id, int timeoutMs) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_RESOLVE_ROUTE.invokeExact(Errno.scratch(), id, timeoutMs);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_get_src_port(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @return the port in network byte order
     */
    public static short rdma_get_src_port(MemorySegment id) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        return rdmacm_functions.rdma_get_src_port(id);
    }

    /**
     * {@code rdma_get_dst_port(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @return the port in network byte order
     */
    public static short rdma_get_dst_port(MemorySegment id) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        return rdmacm_functions.rdma_get_dst_port(id);
    }

    /**
     * {@code rdma_listen(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param backlog how many requests may wait
     * @return 0, or -1 with errno set
     */
    public static int rdma_listen(MemorySegment id, int backlog) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_LISTEN.invokeExact(Errno.scratch(), id, backlog);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_accept(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param param the {@code struct rdma_conn_param}
     * @return 0, or -1 with errno set
     */
    public static int rdma_accept(MemorySegment id, MemorySegment param) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_ACCEPT.invokeExact(Errno.scratch(), id, param);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_reject(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param privateData bytes for the peer
     * @param privateDataLength how many
     * @return 0, or -1 with errno set
     */
    public static int rdma_reject(MemorySegment id, MemorySegment privateData, byte privateDataLength) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_REJECT.invokeExact(Errno.scratch(), id, privateData, privateDataLength);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_connect(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param param the {@code struct rdma_conn_param}
     * @return 0, or -1 with errno set
     */
    public static int rdma_connect(MemorySegment id, MemorySegment param) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_CONNECT.invokeExact(Errno.scratch(), id, param);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_establish(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @return 0, or -1 with errno set
     */
    public static int rdma_establish(MemorySegment id) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) EstablishHandle.RDMA_ESTABLISH.invokeExact(Errno.scratch(), id);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_disconnect(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @return 0, or -1 with errno set
     */
    public static int rdma_disconnect(MemorySegment id) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_DISCONNECT.invokeExact(Errno.scratch(), id);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_create_qp(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param pd the {@code struct ibv_pd}
     * @param initAttr the attributes of creation
     * @return 0, or -1 with errno set
     */
    public static int rdma_create_qp(MemorySegment id, MemorySegment pd, MemorySegment initAttr) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) Handles.RDMA_CREATE_QP.invokeExact(Errno.scratch(), id, pd, initAttr);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code rdma_destroy_qp(3)}.
     *
     * @param id the {@code struct rdma_cm_id}
     */
    public static void rdma_destroy_qp(MemorySegment id) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        rdmacm_functions.rdma_destroy_qp(id);
    }

    /**
     * {@code rdma_init_qp_attr}, which has no man page: fills in what a queue pair of the connection needs for its next
     * state. Older libraries lack it: see {@link NativeLibrary#has}.
     *
     * @param id the {@code struct rdma_cm_id}
     * @param qpAttr the {@code struct ibv_qp_attr}, with {@code qp_state} set to the state that is wanted
     * @param qpAttrMask receives the mask for {@code ibv_modify_qp}
     * @return 0, or -1 with errno set
     */
    public static int rdma_init_qp_attr(MemorySegment id, MemorySegment qpAttr, MemorySegment qpAttrMask) {
        NativeLibrary.LIBRDMACM.ensureAvailable();
        try {
            return (int) InitQpAttrHandle.RDMA_INIT_QP_ATTR.invokeExact(Errno.scratch(), id, qpAttr, qpAttrMask);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /** Made at the first call, after the library has been found. */
    private static final class Handles {
        static final MethodHandle RDMA_CREATE_EVENT_CHANNEL = Downcalls.capturingErrno(
                rdmacm_functions.rdma_create_event_channel$address(),
                rdmacm_functions.rdma_create_event_channel$descriptor());
        static final MethodHandle RDMA_GET_CM_EVENT = Downcalls.capturingErrno(
                rdmacm_functions.rdma_get_cm_event$address(), rdmacm_functions.rdma_get_cm_event$descriptor());
        static final MethodHandle RDMA_ACK_CM_EVENT = Downcalls.capturingErrno(
                rdmacm_functions.rdma_ack_cm_event$address(), rdmacm_functions.rdma_ack_cm_event$descriptor());
        static final MethodHandle RDMA_CREATE_ID = Downcalls.capturingErrno(
                rdmacm_functions.rdma_create_id$address(), rdmacm_functions.rdma_create_id$descriptor());
        static final MethodHandle RDMA_DESTROY_ID = Downcalls.capturingErrno(
                rdmacm_functions.rdma_destroy_id$address(), rdmacm_functions.rdma_destroy_id$descriptor());
        static final MethodHandle RDMA_SET_OPTION = Downcalls.capturingErrno(
                rdmacm_functions.rdma_set_option$address(), rdmacm_functions.rdma_set_option$descriptor());
        static final MethodHandle RDMA_BIND_ADDR = Downcalls.capturingErrno(
                rdmacm_functions.rdma_bind_addr$address(), rdmacm_functions.rdma_bind_addr$descriptor());
        static final MethodHandle RDMA_RESOLVE_ADDR = Downcalls.capturingErrno(
                rdmacm_functions.rdma_resolve_addr$address(), rdmacm_functions.rdma_resolve_addr$descriptor());
        static final MethodHandle RDMA_RESOLVE_ROUTE = Downcalls.capturingErrno(
                rdmacm_functions.rdma_resolve_route$address(), rdmacm_functions.rdma_resolve_route$descriptor());
        static final MethodHandle RDMA_LISTEN = Downcalls.capturingErrno(
                rdmacm_functions.rdma_listen$address(), rdmacm_functions.rdma_listen$descriptor());
        static final MethodHandle RDMA_ACCEPT = Downcalls.capturingErrno(
                rdmacm_functions.rdma_accept$address(), rdmacm_functions.rdma_accept$descriptor());
        static final MethodHandle RDMA_REJECT = Downcalls.capturingErrno(
                rdmacm_functions.rdma_reject$address(), rdmacm_functions.rdma_reject$descriptor());
        static final MethodHandle RDMA_CONNECT = Downcalls.capturingErrno(
                rdmacm_functions.rdma_connect$address(), rdmacm_functions.rdma_connect$descriptor());
        static final MethodHandle RDMA_DISCONNECT = Downcalls.capturingErrno(
                rdmacm_functions.rdma_disconnect$address(), rdmacm_functions.rdma_disconnect$descriptor());
        static final MethodHandle RDMA_CREATE_QP = Downcalls.capturingErrno(
                rdmacm_functions.rdma_create_qp$address(), rdmacm_functions.rdma_create_qp$descriptor());
    }

    /** Apart, since older libraries lack the function. */
    private static final class EstablishHandle {
        static final MethodHandle RDMA_ESTABLISH = Downcalls.capturingErrno(
                rdmacm_functions.rdma_establish$address(), rdmacm_functions.rdma_establish$descriptor());
    }

    /** Apart, since older libraries lack the function. */
    private static final class InitQpAttrHandle {
        static final MethodHandle RDMA_INIT_QP_ATTR = Downcalls.capturingErrno(
                rdmacm_functions.rdma_init_qp_attr$address(), rdmacm_functions.rdma_init_qp_attr$descriptor());
    }
}
