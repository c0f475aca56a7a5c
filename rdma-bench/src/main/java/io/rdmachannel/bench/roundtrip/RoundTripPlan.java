// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

/**
 * What is measured.
 *
 * @param bytes the size of a message
 * @param warmUp round trips that do not count
 * @param counted round trips that do
 */
record RoundTripPlan(int bytes, int warmUp, int counted) {
    int all() {
        return warmUp + counted;
    }
}
