// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Makes the method handles that jextract cannot: with errno captured, or for a function known only by its pointer. */
final class Downcalls {
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private Downcalls() {}

    /** A handle whose first argument is {@link Errno#scratch()}. */
    @SuppressWarnings("restricted")
    static MethodHandle capturingErrno(MemorySegment function, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(function, descriptor, ERRNO);
    }

    /** As {@link #capturingErrno(MemorySegment, FunctionDescriptor)}, for a variadic function. */
    @SuppressWarnings("restricted")
    static MethodHandle capturingErrnoVariadic(
            MemorySegment function, FunctionDescriptor descriptor, int firstVariadic) {
        Linker.Option variadic = Linker.Option.firstVariadicArg(firstVariadic);
        return Linker.nativeLinker().downcallHandle(function, descriptor, ERRNO, variadic);
    }

    /** A handle whose first argument is the function's address, and the second {@link Errno#scratch()}. */
    @SuppressWarnings("restricted")
    static MethodHandle capturingErrno(FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(descriptor, ERRNO);
    }

    /** A handle whose first argument is the function's address. */
    @SuppressWarnings("restricted")
    static MethodHandle through(FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(descriptor, options);
    }

    /** What a downcall throws is either unchecked or impossible. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new AssertionError("a downcall threw a checked exception", thrown);
    }
}
