// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Messages whose bytes can be checked. */
final class Contents {
    private Contents() {}

    /** Bytes that follow from a number. */
    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    static MemorySegment memory(byte[] bytes) {
        return bytes.length == 0
                ? MemorySegment.ofArray(bytes)
                : Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    static long checksum(MemorySegment memory, long offset, long length) {
        CRC32C sum = new CRC32C();
        long done = 0;
        while (done < length) {
            long part = Math.min(1 << 30, length - done);
            sum.update(memory.asSlice(offset + done, part).asByteBuffer());
            done += part;
        }
        return sum.getValue();
    }
}
