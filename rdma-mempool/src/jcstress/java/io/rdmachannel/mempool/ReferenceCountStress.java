// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/** What may come of reference counts that several threads change at once. */
public final class ReferenceCountStress {
    private ReferenceCountStress() {}

    /** A count to play with. */
    static final class Counted extends ReferenceCounted {
        Counted(int references) {
            begin();
            for (int i = 1; i < references; i++) {
                addReference();
            }
        }

        @Override
        IllegalStateException released(String use) {
            return new IllegalStateException(use);
        }

        int drop() {
            try {
                return dropReference() ? 1 : 0;
            } catch (IllegalStateException expected) {
                return -1;
            }
        }

        int dropUnchecked() {
            try {
                return dropReferenceUnlessMisused() ? 1 : 0;
            } catch (IllegalStateException expected) {
                return -1;
            }
        }
    }

    /** Two holders release: exactly one is the last. */
    @JCStressTest
    @State
    @Outcome(id = {"1, 0, 0", "0, 1, 0"}, expect = Expect.ACCEPTABLE, desc = "one was the last")
    @Outcome(expect = Expect.FORBIDDEN, desc = "none or both were the last")
    public static class TwoReleases {
        private final Counted counted = new Counted(2);

        /** One holder. */
        @Actor
        public void first(III_Result result) {
            result.r1 = counted.dropUnchecked();
        }

        /** The other holder. */
        @Actor
        public void second(III_Result result) {
            result.r2 = counted.dropUnchecked();
        }

        /** Afterwards. */
        @Arbiter
        public void end(III_Result result) {
            result.r3 = counted.references();
        }
    }

    /** One reference is released twice at once, in the checked mode: one is told. */
    @JCStressTest
    @State
    @Outcome(id = {"1, -1", "-1, 1"}, expect = Expect.ACCEPTABLE, desc = "one was the last, the other was refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the mistake went unnoticed")
    public static class DoubleRelease {
        private final Counted counted = new Counted(1);

        /** One release. */
        @Actor
        public void first(II_Result result) {
            result.r1 = counted.drop();
        }

        /** The same once more. */
        @Actor
        public void second(II_Result result) {
            result.r2 = counted.drop();
        }
    }

    /** A holder of one of two references retains while the other releases. */
    @JCStressTest
    @State
    @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "two remain")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a reference was lost")
    public static class RetainAndRelease {
        private final Counted counted = new Counted(2);

        /** Adds one. */
        @Actor
        public void retain() {
            counted.addReference();
        }

        /** Drops one. */
        @Actor
        public void release(II_Result result) {
            result.r1 = counted.dropUnchecked();
        }

        /** Afterwards. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = counted.references();
        }
    }
}
