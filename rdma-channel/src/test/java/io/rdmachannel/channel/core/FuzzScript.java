// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.util.Arrays;

/** The fuzzer's bytes, taken from the front, so that seeds can be written by hand. Behind the end there are zeros. */
final class FuzzScript {
    private final byte[] bytes;
    private int at;

    FuzzScript(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    /** 0 to 255. */
    int next() {
        return at < bytes.length ? Byte.toUnsignedInt(bytes[at++]) : 0;
    }

    /** 0 to below a bound of at most 256. */
    int next(int bound) {
        return next() % bound;
    }

    /** -128 to 127. */
    int nextSigned() {
        return (byte) next();
    }

    /** 0 to 65,535. */
    int nextShort() {
        return next() << Byte.SIZE | next();
    }

    boolean nextBoolean() {
        return (next() & 1) != 0;
    }

    /** As many as are left, if there are fewer. */
    byte[] take(int count) {
        int end = Math.min(bytes.length, at + count);
        byte[] taken = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return taken;
    }

    byte[] rest() {
        return take(bytes.length);
    }
}
