// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.ibverbs.ibv_port_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_functions;
import io.rdmachannel.ffi.generated.ibverbs.verbs_context;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Devices, their queries and their asynchronous events: exported functions of {@code libibverbs}, by their C names and
 * with their raw results.
 *
 * <p>Each throws {@link IllegalStateException} with the remedy when the library cannot be used. Pointers are passed on
 * as they are: the caller answers for them.
 */
public final class DeviceCalls {
    private DeviceCalls() {}

    /**
     * {@code ibv_get_device_list(3)}.
     *
     * @param count receives the number of devices
     * @return the list, or NULL with errno set
     */
    public static MemorySegment ibv_get_device_list(MemorySegment count) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.IBV_GET_DEVICE_LIST.invokeExact(Errno.scratch(), count);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_get_device_list(3)}.
     *
     * @param list what the list call returned
     */
    public static void ibv_free_device_list(MemorySegment list) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        ibverbs_functions.ibv_free_device_list(list);
    }

    /**
     * {@code ibv_get_device_name(3)}.
     *
     * @param device the {@code struct ibv_device}
     * @return a C string
     */
    public static MemorySegment ibv_get_device_name(MemorySegment device) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_get_device_name(device);
    }

    /**
     * {@code ibv_get_device_guid(3)}.
     *
     * @param device the {@code struct ibv_device}
     * @return the GUID in network byte order
     */
    public static long ibv_get_device_guid(MemorySegment device) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_get_device_guid(device);
    }

    /**
     * {@code ibv_open_device(3)}.
     *
     * @param device the {@code struct ibv_device}
     * @return the object, or NULL with errno set
     */
    public static MemorySegment ibv_open_device(MemorySegment device) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (MemorySegment) Handles.IBV_OPEN_DEVICE.invokeExact(Errno.scratch(), device);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_open_device(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @return 0, or -1 with errno set
     */
    public static int ibv_close_device(MemorySegment context) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (int) Handles.IBV_CLOSE_DEVICE.invokeExact(Errno.scratch(), context);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_query_device(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @param attr the attribute structure to fill or read
     * @return 0, or the errno value
     */
    public static int ibv_query_device(MemorySegment context, MemorySegment attr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_query_device(context, attr);
    }

    /**
     * {@code ibv_query_port(3)} as the header's inline does it: through the context's own function, which fills the
     * whole structure, or, where that is missing, into a zeroed structure by the exported function, which fills a
     * prefix only.
     *
     * @param ops the context's function pointers
     * @param context the {@code struct ibv_context}
     * @param port port number, from 1
     * @param attr a {@code struct ibv_port_attr} to fill
     * @return 0, or the errno value
     */
    public static int ibv_query_port(OpsTable ops, MemorySegment context, byte port, MemorySegment attr) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        attr.fill((byte) 0);
        if (Pointers.isNull(ops.queryPort())) {
            return ibverbs_functions.ibv_query_port(context, port, attr);
        }
        return verbs_context.query_port.invoke(ops.queryPort(), context, port, attr, ibv_port_attr.sizeof());
    }

    /**
     * {@code ibv_query_gid(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @param port port number, from 1
     * @param index index into the table
     * @param gid receives the GID
     * @return 0, or -1 with errno set
     */
    public static int ibv_query_gid(MemorySegment context, byte port, int index, MemorySegment gid) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (int) Handles.IBV_QUERY_GID.invokeExact(Errno.scratch(), context, port, index, gid);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_query_gid_ex(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @param port port number, from 1
     * @param index index into the table
     * @param entry receives the entry
     * @param flags zero
     * @param entrySize size of {@code struct ibv_gid_entry}
     * @return 0, or the errno value
     */
    public static int _ibv_query_gid_ex(
            MemorySegment context, int port, int index, MemorySegment entry, int flags, long entrySize) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions._ibv_query_gid_ex(context, port, index, entry, flags, entrySize);
    }

    /**
     * {@code ibv_query_pkey(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @param port port number, from 1
     * @param index index into the table
     * @param pkey receives the key
     * @return 0, or -1 with errno set
     */
    public static int ibv_query_pkey(MemorySegment context, byte port, int index, MemorySegment pkey) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (int) Handles.IBV_QUERY_PKEY.invokeExact(Errno.scratch(), context, port, index, pkey);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_get_async_event(3)}.
     *
     * @param context the {@code struct ibv_context}
     * @param event the event
     * @return 0, or -1 with errno set
     */
    public static int ibv_get_async_event(MemorySegment context, MemorySegment event) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        try {
            return (int) Handles.IBV_GET_ASYNC_EVENT.invokeExact(Errno.scratch(), context, event);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * {@code ibv_get_async_event(3)}.
     *
     * @param event the event
     */
    public static void ibv_ack_async_event(MemorySegment event) {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        ibverbs_functions.ibv_ack_async_event(event);
    }

    /**
     * {@code ibv_fork_init(3)}.
     *
     * @return 0, or the errno value
     */
    public static int ibv_fork_init() {
        NativeLibrary.LIBIBVERBS.ensureAvailable();
        return ibverbs_functions.ibv_fork_init();
    }

    /** Made at the first call, after the library has been found. */
    private static final class Handles {
        static final MethodHandle IBV_GET_DEVICE_LIST = Downcalls.capturingErrno(
                ibverbs_functions.ibv_get_device_list$address(), ibverbs_functions.ibv_get_device_list$descriptor());
        static final MethodHandle IBV_OPEN_DEVICE = Downcalls.capturingErrno(
                ibverbs_functions.ibv_open_device$address(), ibverbs_functions.ibv_open_device$descriptor());
        static final MethodHandle IBV_CLOSE_DEVICE = Downcalls.capturingErrno(
                ibverbs_functions.ibv_close_device$address(), ibverbs_functions.ibv_close_device$descriptor());
        static final MethodHandle IBV_QUERY_GID = Downcalls.capturingErrno(
                ibverbs_functions.ibv_query_gid$address(), ibverbs_functions.ibv_query_gid$descriptor());
        static final MethodHandle IBV_QUERY_PKEY = Downcalls.capturingErrno(
                ibverbs_functions.ibv_query_pkey$address(), ibverbs_functions.ibv_query_pkey$descriptor());
        static final MethodHandle IBV_GET_ASYNC_EVENT = Downcalls.capturingErrno(
                ibverbs_functions.ibv_get_async_event$address(), ibverbs_functions.ibv_get_async_event$descriptor());
    }
}
