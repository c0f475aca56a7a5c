// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.verbs.RdmaException;

/** A channel could not be made, or has failed. The message says what happened and what to do. */
public final class ChannelException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it is. */
    private final Reason reason;

    /**
     * Makes an exception.
     *
     * @param reason the kind of failure
     * @param message what happened, and what to do
     */
    public ChannelException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /**
     * Makes an exception with a cause.
     *
     * @param reason the kind of failure
     * @param message what happened, and what to do
     * @param cause what it came from
     */
    public ChannelException(Reason reason, String message, Throwable cause) {
        super(message);
        this.reason = reason;
        initCause(cause);
    }

    /**
     * Gives the kind of failure.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }

    /** The kinds of failure. */
    public enum Reason {
        /** Nobody listens at the address, or it cannot be reached. */
        UNREACHABLE,
        /** A deadline has passed. */
        TIMEOUT,
        /** The peer has too much to do at the moment; connecting tries again by itself. */
        BUSY,
        /** The peer refused: its message says why. */
        REFUSED,
        /**
         * The two sides could not prove to each other who they are, by the shared secret or by TLS, or only one of them
         * is configured to.
         */
        NOT_AUTHENTICATED,
        /** The peer does not keep to the protocol, or is something else. */
        PROTOCOL,
        /** The peer's process or its connection is gone. */
        PEER_GONE,
        /** The peer's process lives and does not know the channel: it was restarted, or has given the channel up. */
        PEER_RESTARTED,
        /** The path between the two sides carries nothing any more. */
        PATH_LOST,
        /** The peer refused an access to its memory. */
        REMOTE_ACCESS,
        /** The transport broke: the device or the path. */
        TRANSPORT,
        /** The channel's handler threw an exception, which is the cause. */
        HANDLER,
        /** The channel or what it needs was closed. */
        CLOSED,
        /** The wanted transport cannot be had here. */
        UNAVAILABLE
    }
}
