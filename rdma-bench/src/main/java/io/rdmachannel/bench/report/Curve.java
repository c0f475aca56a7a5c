// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.TestResult;
import java.util.List;

/**
 * Results that belong together: of one test, measured in one way, of all its sizes.
 *
 * @param label what tells it from the other curves of the test
 * @param results smallest size first
 */
record Curve(String label, List<TestResult> results) {
    /** The result whose size is nearest to the wanted one, as ratio. */
    TestResult nearest(int size) {
        TestResult best = results.getFirst();
        for (TestResult result : results) {
            if (distance(result.size(), size) < distance(best.size(), size)) {
                best = result;
            }
        }
        return best;
    }

    private static double distance(int size, int wanted) {
        return Math.abs(Math.log((double) size / wanted));
    }
}
