// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.QueuePairCapabilities;
import io.rdmachannel.verbs.QueuePairType;
import java.util.EnumSet;
import java.util.Set;

/** How a {@link ConnectedPair} is made; what is not set has a value that suits most tests. */
public final class PairOptions {
    private static final Set<AccessFlag> ALL_RIGHTS = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private QueuePairType type = QueuePairType.RELIABLE_CONNECTION;
    private QueuePairCapabilities capabilities = new QueuePairCapabilities(16, 16, 4, 4, 64);
    private Set<AccessFlag> queuePairAccess = ALL_RIGHTS;
    private Set<AccessFlag> regionAccess = ALL_RIGHTS;
    private long regionBytes = 64 * 1024;
    private int completions = 64;
    private int rnrRetry = 6;
    private int timeout = 14;
    private boolean withChannel;
    private boolean withSharedReceives;

    private PairOptions() {}

    /** The usual pair: reliable, 16 requests deep, all rights. */
    public static PairOptions usual() {
        return new PairOptions();
    }

    /** Sets the service. */
    public PairOptions type(QueuePairType value) {
        this.type = value;
        return this;
    }

    /** Sets the sizes of the queues. */
    public PairOptions capabilities(QueuePairCapabilities value) {
        this.capabilities = value;
        return this;
    }

    /** Sets what the queue pairs let their peers do. */
    public PairOptions queuePairAccess(Set<AccessFlag> value) {
        this.queuePairAccess = value;
        return this;
    }

    /** Sets the rights of the regions. */
    public PairOptions regionAccess(Set<AccessFlag> value) {
        this.regionAccess = value;
        return this;
    }

    /** Sets the size of the regions. */
    public PairOptions regionBytes(long value) {
        this.regionBytes = value;
        return this;
    }

    /** Sets the capacity of the completion queues. */
    public PairOptions completions(int value) {
        this.completions = value;
        return this;
    }

    /** Sets how often a missing receive is waited for. */
    public PairOptions rnrRetry(int value) {
        this.rnrRetry = value;
        return this;
    }

    /** Sets the exponent of the acknowledgement time. */
    public PairOptions timeout(int value) {
        this.timeout = value;
        return this;
    }

    /** Gives each side a completion channel. */
    public PairOptions withChannel() {
        this.withChannel = true;
        return this;
    }

    /** Lets each side take its receives from a shared receive queue. */
    public PairOptions withSharedReceives() {
        this.withSharedReceives = true;
        return this;
    }

    QueuePairType type() {
        return type;
    }

    QueuePairCapabilities capabilities() {
        return capabilities;
    }

    Set<AccessFlag> queuePairAccess() {
        return queuePairAccess;
    }

    Set<AccessFlag> regionAccess() {
        return regionAccess;
    }

    long regionBytes() {
        return regionBytes;
    }

    int completions() {
        return completions;
    }

    int rnrRetry() {
        return rnrRetry;
    }

    int timeout() {
        return timeout;
    }

    boolean hasChannel() {
        return withChannel;
    }

    boolean hasSharedReceives() {
        return withSharedReceives;
    }
}
