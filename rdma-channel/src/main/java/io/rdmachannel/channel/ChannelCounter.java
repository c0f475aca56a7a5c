// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.util.Locale;

/**
 * What channels and pollers count, from their beginning: the counts never go back. Read by
 * {@link RdmaChannel#counters()} and {@link Poller#counters()}.
 *
 * <p>Each name ends in the unit of its count.
 */
public enum ChannelCounter {
    /** Messages that were accepted for sending. */
    SENT_MESSAGES("accepted for sending"),
    /** Bytes of these. */
    SENT_BYTES("of messages accepted for sending"),
    /** Of the messages sent, those too long for a receive buffer. */
    ANNOUNCED_MESSAGES("sent that were too long for a receive buffer, and were announced for the peer to fetch"),
    /** Messages that were given to the handler. */
    RECEIVED_MESSAGES("given to the handler"),
    /** Bytes of these. */
    RECEIVED_BYTES("of messages given to the handler"),
    /** Of the messages received, those too long for a receive buffer. */
    FETCHED_MESSAGES("given to the handler that were fetched from the peer's memory"),
    /** Frames that say nothing but what has been handled. */
    ACKNOWLEDGEMENT_FRAMES("sent for an acknowledgement alone"),
    /** Writes that were accepted. */
    WRITE_OPERATIONS("accepted that write to the peer's memory, with or without immediate"),
    /** Bytes of these. */
    WRITE_BYTES("that writes accepted put into the peer's memory"),
    /** Reads that were accepted. */
    READ_OPERATIONS("accepted that read from the peer's memory"),
    /** Bytes of these. */
    READ_BYTES("that reads accepted take from the peer's memory"),
    /** Atomics that were accepted. */
    ATOMIC_OPERATIONS("accepted that compare and swap, or add"),
    /** Writes with immediate of the peer. */
    RECEIVED_IMMEDIATES("of the peer's writes that were given to the handler"),
    /** Answers {@link Submission#NO_CREDIT}. */
    NO_CREDIT_ANSWERS("NO_CREDIT to a message or an operation"),
    /** Answers {@link Submission#QUEUE_FULL}. */
    QUEUE_FULL_ANSWERS("QUEUE_FULL to a message or an operation"),
    /** Answers {@link Submission#POOL_EXHAUSTED}. */
    POOL_EXHAUSTED_ANSWERS("POOL_EXHAUSTED to a message, or null to a claim"),
    /** Work that came back undone after a failure. */
    FLUSHED_COMPLETIONS("of work that a failed queue pair gave back undone, behind the first error"),
    /** Operations that ended as {@link Outcome#UNKNOWN}. */
    UNKNOWN_OPERATIONS("that ended with outcome UNKNOWN"),
    /** Connections over TCP where RDMA was allowed. */
    FALLBACKS("to TCP when the channel was connected, where RDMA was allowed"),
    /** Times that a channel was to be connected anew. */
    BEGUN_RECOVERIES("of a broken channel that began"),
    /** Times that it was. */
    ENDED_RECOVERIES("that ended with a channel that works, over RDMA or TCP"),
    /** Times that it could not be. */
    FAILED_RECOVERIES("that ended with a failed channel"),
    /** Times that a channel went on over TCP. */
    DEGRADATIONS("of a channel from RDMA to TCP"),
    /** Times that it came back. */
    RETURNS("of a degraded channel to RDMA"),
    /** Messages that were sent again. */
    RESENT_MESSAGES("sent once more after a recovery"),
    /** Operations that were done again. */
    REPEATED_OPERATIONS("done once more after a recovery"),
    /** Heartbeats to the peer. */
    SENT_HEARTBEATS("sent"),
    /** Heartbeats of the peer. */
    RECEIVED_HEARTBEATS("received"),
    /** Heartbeats that were missed. */
    LATE_HEARTBEATS("of the peer that were not there in time"),

    /** Handshakes of both sides. */
    BEGUN_HANDSHAKES("begun: attempts to connect, and peers that asked a listener for a channel", true),
    /** Attempts to connect without a result. */
    FAILED_HANDSHAKES("begun by this side that ended without a channel", true),
    /** Peers that a listener refused. */
    REFUSED_HANDSHAKES("of peers, and connections without one, that a listener refused", true),
    /** Channels that began to work. */
    OPENED_CHANNELS("that were connected", true),
    /** Channels that failed. */
    FAILED_CHANNELS("that went to state FAILED", true),
    /** Times that events were looked for. */
    POLLS("of the event loop", true),
    /** Times that the poller waited in the kernel. */
    SLEEPS("of the event loop, until an event or a time limit", true);

    private final String metricName;
    private final String unit;
    private final String what;
    private final boolean ofPoller;

    ChannelCounter(String what) {
        this(what, false);
    }

    ChannelCounter(String what, boolean ofPoller) {
        this.metricName = name().toLowerCase(Locale.ROOT).replace('_', '.');
        this.unit = metricName.substring(metricName.lastIndexOf('.') + 1);
        this.what = what;
        this.ofPoller = ofPoller;
    }

    /**
     * Gives the name for exporters.
     *
     * @return words in lower case with dots between them, such as {@code sent.messages}
     */
    public String metricName() {
        return metricName;
    }

    /**
     * Gives the unit, which is the last word of the name.
     *
     * @return such as {@code bytes}
     */
    public String unit() {
        return unit;
    }

    /**
     * Says what is counted.
     *
     * @return a phrase that begins with the unit
     */
    public String description() {
        return unit + " " + what;
    }

    /**
     * Says whether only pollers count it.
     *
     * @return true when a channel's count is always 0
     */
    public boolean isOfPoller() {
        return ofPoller;
    }
}
