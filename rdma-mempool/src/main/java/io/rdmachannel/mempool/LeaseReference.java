// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stays when a lease is gone. Free leases are reachable from the pool, so one that is not can only have been lost by
 * whoever acquired it.
 */
final class LeaseReference extends PhantomReference<Lease> {
    private final Span span;
    private final int position;
    private volatile Acquisition acquisition;

    LeaseReference(Lease lease, Span span, int position, ReferenceQueue<Lease> queue) {
        super(lease, queue);
        this.span = span;
        this.position = position;
    }

    Span span() {
        return span;
    }

    int position() {
        return position;
    }

    /** Remembers that the calling thread acquired the lease just now. */
    void rememberAcquisition() {
        acquisition = new Acquisition();
    }

    void forgetAcquisition() {
        acquisition = null;
    }

    Throwable acquisition() {
        return acquisition;
    }

    /** Such as {@code , acquired by thread "main" at ...}; empty when nothing is known. */
    static String describe(LeaseReference reference) {
        Acquisition known = reference == null ? null : reference.acquisition;
        return known == null ? "" : ", " + known.describe();
    }

    /** A stack to look at, never thrown. */
    private static final class Acquisition extends Throwable {
        private static final long serialVersionUID = 1L;

        /** What lies between the caller and here. */
        private static final Set<String> OWN_FRAMES = Stream.of(
                        Acquisition.class, LeaseReference.class, Lease.class, Claim.class, RegisteredMemoryPool.class)
                .map(Class::getName)
                .collect(Collectors.toUnmodifiableSet());

        /** Who, and when. */
        private final String by;

        Acquisition() {
            super("acquired here", null, false, true);
            this.by = "acquired by thread \"" + Thread.currentThread().getName() + "\" on " + Instant.now();
        }

        @Override
        public String getMessage() {
            return by;
        }

        String describe() {
            StringBuilder text = new StringBuilder(by);
            for (StackTraceElement element : getStackTrace()) {
                if (!OWN_FRAMES.contains(element.getClassName())) {
                    return text.append(" at ").append(element).toString();
                }
            }
            return text.toString();
        }
    }
}
