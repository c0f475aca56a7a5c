// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.Pointers;
import java.lang.foreign.MemorySegment;

/** Turns results of the lower floor into exceptions, by the convention of the man page. */
final class Results {
    private Results() {}

    /** For functions that return 0 or the errno value; some providers return its negative. */
    static void check(String verb, int result, String asked, String remedy) {
        if (result != 0) {
            throw new VerbsException(verb, Math.abs(result), asked, remedy);
        }
    }

    /** For functions that return 0, or -1 with errno set. */
    static void checkErrno(String verb, int result, String asked, String remedy) {
        if (result != 0) {
            throw new VerbsException(verb, Errno.captured(), asked, remedy);
        }
    }

    /** For creators, which return NULL with errno set. */
    static MemorySegment checkPointer(String verb, MemorySegment pointer, String asked, String remedy) {
        if (Pointers.isNull(pointer)) {
            throw new VerbsException(verb, Errno.captured(), asked, remedy);
        }
        return pointer;
    }
}
