// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.Submission;

/**
 * Keeps a number of operations outstanding, and measures how many end in what time. There is one class for each kind of
 * operation.
 */
abstract class BandwidthTest {
    private final DataLine line;
    private final int depth;

    BandwidthTest(DataLine line, int depth) {
        this.line = line;
        this.depth = depth;
    }

    /** Begins one operation with this token; whatever is not ACCEPTED is tried again later. */
    abstract Submission post(long token);

    /**
     * What a run did.
     *
     * @param operations that began, and have all ended
     * @param nanos from before the first one to the end of the last one
     */
    record Run(long operations, long nanos) {}

    /**
     * Runs.
     *
     * @param limit when to begin no more operations
     * @param progress told how many have ended
     */
    final Run run(RunLimit limit, Progress progress) {
        TrafficHandler peer = line.peer;
        long ended = peer.completions;
        long posted = 0;
        long done = 0;
        boolean more = true;
        long begin = System.nanoTime();
        while (more || done < posted) {
            Submission answer = Submission.ACCEPTED;
            while (answer == Submission.ACCEPTED && posted < limit.iterations() && more && posted - done < depth) {
                answer = post(posted);
                posted += answer == Submission.ACCEPTED ? 1 : 0;
            }
            if (answer == Submission.ACCEPTED) {
                line.await();
            } else {
                line.refused(answer);
            }
            done = peer.completions - ended;
            progress.set(done);
            more = posted < limit.iterations() && System.nanoTime() - begin < limit.nanos();
        }
        return new Run(done, System.nanoTime() - begin);
    }
}
