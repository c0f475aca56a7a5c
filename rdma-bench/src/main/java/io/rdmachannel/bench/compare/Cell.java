// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;

/**
 * One thing that is compared.
 *
 * @param test what is measured
 * @param mode how both sides wait: BUSY or EVENT, which perftest has, too
 * @param size bytes of one operation
 */
record Cell(TestKind test, PollMode mode, int size) {
    /** What the figures are. */
    String unit() {
        return test.isLatency() ? "usec" : "MB/sec";
    }

    @Override
    public String toString() {
        return test + ", " + mode + ", " + size + " bytes";
    }
}
