// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How large a pool must be: a sum with a term for each holder of buffers, so that nobody starves when all hold what
 * they may hold at once. Immutable. For a service with channels the terms are
 *
 * <ul>
 *   <li>posted receives: channels × receive depth, of the receive size;
 *   <li>sends in flight: channels × send window, of the largest eager message;
 *   <li>received and not yet released by the application: channels × receive credits it may keep back;
 *   <li>sends being filled: threads × buffers that each has in hand;
 *   <li>thread caches: they give back what others need, so they need no term for correctness; with one
 *       ({@link #withThreadCaches}) threads hardly ever have to take from each other.
 * </ul>
 *
 * @param terms the terms
 * @param headroomBytes the headroom of the pool
 */
public record PoolSizing(List<Term> terms, int headroomBytes) {
    /**
     * One holder's share.
     *
     * @param holder who
     * @param buffers how many it holds at most, 0 or more
     * @param payloadBytes the payload of each, 0 or more
     */
    public record Term(String holder, long buffers, long payloadBytes) {
        /**
         * Makes a term.
         *
         * @param holder who
         * @param buffers how many it holds at most
         * @param payloadBytes the payload of each
         */
        public Term {
            Objects.requireNonNull(holder, "holder");
            if (buffers < 0 || payloadBytes < 0) {
                throw new IllegalArgumentException(
                        holder + ": " + buffers + " buffers of " + payloadBytes + " bytes; neither may be negative");
            }
        }
    }

    /**
     * Makes a sizing.
     *
     * @param terms the terms
     * @param headroomBytes the headroom of the pool
     */
    public PoolSizing {
        terms = List.copyOf(terms);
    }

    /**
     * Starts with no holder.
     *
     * @param headroomBytes the headroom of the pool
     * @return an empty sum
     */
    public static PoolSizing withHeadroom(int headroomBytes) {
        return new PoolSizing(List.of(), headroomBytes);
    }

    /**
     * Adds a holder.
     *
     * @param holder who
     * @param buffers how many it holds at most
     * @param payloadBytes the payload of each
     * @return the longer sum
     */
    public PoolSizing plus(String holder, long buffers, long payloadBytes) {
        List<Term> longer = new ArrayList<>(terms);
        longer.add(new Term(holder, buffers, payloadBytes));
        return new PoolSizing(longer, headroomBytes);
    }

    /**
     * Adds what threads keep for themselves of one size.
     *
     * @param threads how many threads acquire or release
     * @param config the pool's configuration
     * @param payloadBytes the payload
     * @return the longer sum
     */
    public PoolSizing withThreadCaches(int threads, PoolConfig config, long payloadBytes) {
        return plus("thread caches", (long) threads * config.threadCacheBuffers(), payloadBytes);
    }

    /**
     * Computes the need: for each size class of the terms the buffers with their headroom, rounded up to whole spans.
     *
     * @param slabBytes the slab size of the pool
     * @return bytes, before rounding up to whole slabs; oversize buffers count with whole pages
     */
    public long bytes(long slabBytes) {
        SizeClasses classes = new SizeClasses(slabBytes, headroomBytes);
        long[] buffers = new long[classes.count()];
        long sum = 0;
        for (Term term : terms) {
            int index = classes.indexOf(term.payloadBytes());
            if (index < 0) {
                long each = Bytes.roundUp(term.payloadBytes() + classes.headroomStride(), PoolConfig.UNIT_BYTES);
                sum = Math.addExact(sum, Math.multiplyExact(each, term.buffers()));
            } else {
                buffers[index] = Math.addExact(buffers[index], term.buffers());
            }
        }
        for (int i = 0; i < buffers.length; i++) {
            SpanShape shape = SpanShape.of(classes, i, slabBytes);
            long spans = Math.ceilDiv(buffers[i], shape.bufferCount());
            sum = Math.addExact(sum, Math.multiplyExact(spans, shape.unitCount() * PoolConfig.UNIT_BYTES));
        }
        return sum;
    }

    /**
     * Checks that a pool can ever be large enough.
     *
     * @param config the pool's configuration
     * @throws PoolExhaustedException if its limit is lower than the sum; the message lists the terms
     * @throws IllegalArgumentException if the headroom differs
     */
    public void requireFits(PoolConfig config) {
        if (config.headroomBytes() != headroomBytes) {
            throw new IllegalArgumentException("the sizing is for a headroom of " + headroomBytes + " bytes, pool "
                    + config.name() + " has " + config.headroomBytes());
        }
        long need = bytes(config.slabBytes());
        if (need > config.maxBytes()) {
            throw new PoolExhaustedException("pool " + config.name() + " is limited to " + Bytes.text(config.maxBytes())
                    + " and needs " + Bytes.text(need) + ": " + describe()
                    + ". Raise maxBytes, or lower one of the terms");
        }
    }

    /**
     * Lists the terms for people.
     *
     * @return such as {@code 4 x 1024 posted receives}
     */
    public String describe() {
        List<String> parts = new ArrayList<>();
        for (Term term : terms) {
            parts.add(term.buffers() + " x " + Bytes.text(term.payloadBytes()) + " for " + term.holder());
        }
        return String.join(" + ", parts);
    }
}
