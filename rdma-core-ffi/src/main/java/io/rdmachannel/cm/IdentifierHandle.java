// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_context;
import io.rdmachannel.ffi.generated.ibverbs.ibv_device;
import io.rdmachannel.ffi.generated.rdmacm.rdma_cm_id;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** The native identifier, and the only way to it: each call counts itself into the lifetime, so that a close waits. */
final class IdentifierHandle {
    private final MemorySegment handle;
    private final Lifetime lifetime;
    private volatile String deviceName;

    IdentifierHandle(MemorySegment handle, Lifetime lifetime) {
        this.handle = handle;
        this.lifetime = lifetime;
    }

    /** A function of the library that returns 0, or -1 with errno set. */
    interface Call {
        int run(MemorySegment id, Arena arena);
    }

    <T> T read(Function<MemorySegment, T> reading) {
        lifetime.acquire();
        try {
            return reading.apply(handle);
        } finally {
            lifetime.release();
        }
    }

    void call(String verb, String asked, Call function) {
        lifetime.acquire();
        try (Arena arena = Arena.ofConfined()) {
            Refusals.check(verb, function.run(handle, arena), asked + " with " + lifetime);
        } finally {
            lifetime.release();
        }
    }

    /** For a function that follows the pointer to the device without looking whether it is there. */
    void callOnDevice(String verb, String asked, ToIntFunction<MemorySegment> function) {
        call(verb, asked, (id, arena) -> {
            requireDevice(verb);
            return function.applyAsInt(id);
        });
    }

    void callOnDevice(String verb, String asked, Call function) {
        call(verb, asked, (id, arena) -> {
            requireDevice(verb);
            return function.run(id, arena);
        });
    }

    /**
     * Notes the device as soon as the library has filled it in; from then on calls that follow its pointer are safe.
     * The caller keeps the identifier from being freed.
     */
    void refreshDevice() {
        if (deviceName == null) {
            MemorySegment context = rdma_cm_id.verbs(handle);
            if (!Pointers.isNull(context)) {
                MemorySegment device = ibv_context.device(Pointers.view(context, ibv_context.sizeof()));
                deviceName = ibv_device
                        .name(Pointers.view(device, ibv_device.sizeof()))
                        .getString(0);
            }
        }
    }

    /** The name of the device, or null before it is known. */
    String deviceName() {
        return deviceName;
    }

    private void requireDevice(String verb) {
        if (deviceName == null) {
            throw new IllegalStateException(
                    verb + " needs the device of the " + lifetime + ", which is known only after"
                            + " ADDRESS_RESOLVED or CONNECT_REQUEST, or after binding to an address of one device");
        }
    }
}
