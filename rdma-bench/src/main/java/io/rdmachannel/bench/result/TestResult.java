// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rdmachannel.channel.Transport;

/**
 * What one test found for one size.
 *
 * @param test what was measured
 * @param transport how the bytes travelled
 * @param fallbackReason why that was TCP although RDMA was allowed; null when it was not so
 * @param device the RDMA device; null over TCP, and where it is not known
 * @param mode how both sides waited
 * @param size bytes of one operation
 * @param iterations how many operations were measured
 * @param txDepth operations outstanding at a time: 1 for latency
 * @param rxDepth receive buffers of each side
 * @param receiveBytes payload of a receive buffer
 * @param ratePerSecond operations begun a second; null for one after the other
 * @param seconds how long it took
 * @param latency null for bandwidth
 * @param bandwidth null for latency
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TestResult(
        TestKind test,
        Transport transport,
        String fallbackReason,
        String device,
        PollMode mode,
        int size,
        long iterations,
        int txDepth,
        int rxDepth,
        int receiveBytes,
        Double ratePerSecond,
        double seconds,
        Latency latency,
        Bandwidth bandwidth) {}
