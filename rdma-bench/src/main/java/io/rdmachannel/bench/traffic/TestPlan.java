// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.channel.Transport;
import java.util.Objects;

/**
 * What the client asks of the server: all that both sides must have alike.
 *
 * @param test what is measured
 * @param transport how the bytes shall travel
 * @param mode how both sides wait
 * @param sizeMax the largest size that will be used, in bytes
 * @param txDepth operations that may be outstanding
 * @param rxDepth receive buffers of each side
 * @param inlineBytes bytes, header of the channel included, that shall go inline with a work request
 * @param receiveBytes payload of a receive buffer
 * @param rate operations a second; 0 for as many as possible
 */
public record TestPlan(
        TestKind test,
        Transport transport,
        PollMode mode,
        int sizeMax,
        int txDepth,
        int rxDepth,
        int inlineBytes,
        int receiveBytes,
        double rate) {
    /** Checks what came from another process. */
    public TestPlan {
        Objects.requireNonNull(test, "test");
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(mode, "mode");
        if (sizeMax < 1 || sizeMax > MessageSize.MAX || txDepth < 1 || rxDepth < 1 || !(rate >= 0)) {
            throw new IllegalArgumentException(
                    "a plan with " + sizeMax + " bytes, depths " + txDepth + " and " + rxDepth + ", rate " + rate);
        }
    }

    /**
     * The same with another transport.
     *
     * @param value the transport
     * @return a changed copy
     */
    public TestPlan withTransport(Transport value) {
        return new TestPlan(test, value, mode, sizeMax, txDepth, rxDepth, inlineBytes, receiveBytes, rate);
    }

    @Override
    public String toString() {
        return test + ", " + mode + ", up to " + sizeMax + " bytes";
    }
}
