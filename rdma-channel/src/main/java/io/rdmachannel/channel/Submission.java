// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/**
 * What an operation answers at once. Everything but {@link #ACCEPTED} means that nothing has happened and the same call
 * can be made again: these are the everyday answers of a busy channel and no errors.
 */
public enum Submission {
    /** Taken; its end will be told. */
    ACCEPTED("on its way"),
    /** The peer has no receive buffer left: poll, until it has worked off what it has. */
    NO_CREDIT("the peer is behind; poll, then try again"),
    /** As many messages or operations are outstanding as the configuration allows: poll, until some have ended. */
    QUEUE_FULL("too much is outstanding; poll, then try again"),
    /** The pool has no buffer left: release some, poll, or make the pool larger. */
    POOL_EXHAUSTED("no buffer is free; release some or poll, then try again"),
    /** The channel is being connected anew: poll, until it is open again or has failed. */
    RECOVERING("the channel is being connected anew; poll, then try again"),
    /** The channel is not open: see {@link RdmaChannel#state()}. */
    NOT_OPEN("the channel is not open"),
    /** The owner has revoked the region. */
    REGION_REVOKED("the peer has revoked the region");

    private final String meaning;

    Submission(String meaning) {
        this.meaning = meaning;
    }

    /**
     * Says whether the operation was taken.
     *
     * @return true for ACCEPTED
     */
    public boolean isAccepted() {
        return this == ACCEPTED;
    }

    /**
     * Says whether the same call can succeed later.
     *
     * @return true for the answers that polling cures
     */
    public boolean isBackPressure() {
        return switch (this) {
            case NO_CREDIT, QUEUE_FULL, POOL_EXHAUSTED, RECOVERING -> true;
            case ACCEPTED, NOT_OPEN, REGION_REVOKED -> false;
        };
    }

    /**
     * Explains the answer.
     *
     * @return what it means and what to do
     */
    public String meaning() {
        return meaning;
    }
}
