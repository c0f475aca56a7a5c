// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

import org.HdrHistogram.Histogram;

/** Makes round trips. */
interface EchoClient {
    /**
     * Connects, makes round trips one after the other, and ends.
     *
     * @param port of the server
     * @param plan how many
     * @return the nanoseconds of each that counts
     */
    Histogram run(int port, RoundTripPlan plan) throws Exception;
}
