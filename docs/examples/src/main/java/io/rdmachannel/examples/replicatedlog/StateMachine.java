// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import java.util.zip.CRC32C;

/**
 * What records are applied to: a number that depends on all of them and on their order, and so is the same
 * everywhere.
 */
final class StateMachine {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private long applied;
    private long digest;

    void apply(byte[] data) {
        CRC32C sum = new CRC32C();
        sum.update(data);
        digest = (digest ^ sum.getValue()) * FACTOR;
        applied++;
    }

    /** The index of the last record; from 1. */
    long applied() {
        return applied;
    }

    long digest() {
        return digest;
    }
}
