// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import java.time.Duration;

/**
 * When a run ends: after so many operations, or so much time, whichever comes first.
 *
 * @param iterations how many operations
 * @param nanos how long
 */
record RunLimit(long iterations, long nanos) {
    private static final long FOR_EVER_NANOS = Long.MAX_VALUE / 2;

    static RunLimit ofIterations(long iterations) {
        return new RunLimit(iterations, FOR_EVER_NANOS);
    }

    static RunLimit ofDuration(Duration duration) {
        return new RunLimit(Long.MAX_VALUE, duration.toNanos());
    }
}
