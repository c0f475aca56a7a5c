// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

/**
 * What has been given to a send work request, in one number, so that starting it over and checking it take one load and
 * one store: its pieces of memory, its inline bytes, and the handles that the provider will follow.
 */
final class RequestShape {
    private static final int ELEMENTS = 0x1FF;
    private static final int LENGTH_SHIFT = 9;
    private static final int LENGTH = 0x1FFFF;
    private static final int INLINE = 1 << 26;
    private static final int BINDS = 1 << 27;
    private static final int BINDING = 1 << 28;
    private static final int DESTINATION = 1 << 29;

    private RequestShape() {}

    /** Of a request that has only been begun. */
    static int of(WorkRequestOpcode opcode) {
        return opcode == WorkRequestOpcode.BIND_MEMORY_WINDOW ? BINDS : 0;
    }

    /** How many scatter/gather elements there are, 0 to 256. */
    static int elements(int shape) {
        return shape & ELEMENTS;
    }

    static int withElements(int shape, int elements) {
        return shape & ~ELEMENTS | elements;
    }

    /** Whether inline bytes were given, none included. */
    static boolean isInline(int shape) {
        return (shape & INLINE) != 0;
    }

    /** How many bytes are inline, 0 to 65,536. */
    static int inlineLength(int shape) {
        return shape >>> LENGTH_SHIFT & LENGTH;
    }

    static int withInline(int shape, int elements, int length) {
        return shape & ~(ELEMENTS | LENGTH << LENGTH_SHIFT) | elements | length << LENGTH_SHIFT | INLINE;
    }

    static int withBinding(int shape) {
        return shape | BINDING;
    }

    static int withDestination(int shape) {
        return shape | DESTINATION;
    }

    static boolean hasBinding(int shape) {
        return (shape & BINDING) != 0;
    }

    static boolean namesHandle(int shape) {
        return (shape & (BINDING | DESTINATION)) != 0;
    }

    /** A provider would follow a pointer that was never set. */
    static boolean lacksHandle(int shape, boolean datagrams) {
        boolean lacksDestination = datagrams && (shape & DESTINATION) == 0;
        boolean bindsHalf = (shape & BINDS) != 0 != hasBinding(shape);
        return lacksDestination || bindsHalf;
    }
}
