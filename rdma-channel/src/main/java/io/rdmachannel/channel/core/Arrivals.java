// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.mempool.Lease;

/** What has arrived and has to wait, since a long message before it is still being fetched. A ring, in order. */
final class Arrivals {
    /** What waits. */
    enum Kind {
        /** A whole message, in its receive buffer. */
        MESSAGE,
        /** A message to be fetched. */
        ANNOUNCEMENT,
        /** A write with immediate. */
        IMMEDIATE,
        /** The peer's end. */
        END
    }

    private final Kind[] kinds;
    private final Lease[] leases;
    private final long[] lengths;
    private final long[] addresses;
    private final int[] numbers;
    private final int mask;
    private long added;
    private long taken;

    Arrivals(int capacity) {
        int size = Rings.size(capacity);
        this.mask = size - 1;
        this.kinds = new Kind[size];
        this.leases = new Lease[size];
        this.lengths = new long[size];
        this.addresses = new long[size];
        this.numbers = new int[size];
    }

    boolean isEmpty() {
        return added == taken;
    }

    /**
     * Adds an arrival.
     *
     * @param kind what it is
     * @param lease a message's receive buffer, else null
     * @param length its length
     * @param address an announcement's address, or the last message before an immediate
     * @param number an announcement's key, or the immediate
     */
    void add(Kind kind, Lease lease, long length, long address, int number) {
        int index = (int) added++ & mask;
        kinds[index] = kind;
        leases[index] = lease;
        lengths[index] = length;
        addresses[index] = address;
        numbers[index] = number;
    }

    Kind kind() {
        return kinds[(int) taken & mask];
    }

    Lease lease() {
        return leases[(int) taken & mask];
    }

    long length() {
        return lengths[(int) taken & mask];
    }

    long address() {
        return addresses[(int) taken & mask];
    }

    int number() {
        return numbers[(int) taken & mask];
    }

    void remove() {
        leases[(int) taken++ & mask] = null;
    }

    /** Looks at the writes with immediate, in order. */
    void forEachImmediate(Immediates action) {
        for (long i = taken; i < added; i++) {
            int index = (int) i & mask;
            if (kinds[index] == Kind.IMMEDIATE) {
                action.accept(addresses[index], numbers[index], lengths[index]);
            }
        }
    }

    /** Who looks at writes with immediate. */
    interface Immediates {
        /** One of them, and the last message before it. */
        void accept(long messagesBefore, int value, long length);
    }

    /** Gives all buffers back; the link is closed. */
    void cancel(Receives receives) {
        while (!isEmpty()) {
            Lease lease = lease();
            if (lease != null) {
                receives.drop(lease);
            }
            remove();
        }
    }
}
