// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.DataPath;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/** Posts receives to a queue pair or a shared receive queue, which differ in the function only. */
final class ReceivePosting {
    private ReceivePosting() {}

    static int post(
            MemorySegment function,
            long queue,
            ReceiveWorkRequests requests,
            int first,
            int count,
            int scatterGatherMax) {
        require(requests, first, count, scatterGatherMax);
        WorkRequestMemory memory = requests.memory();
        int last = first + count - 1;
        memory.cutAfter(last);
        int result = Math.abs(DataPath.post(function, queue, memory.address(first), memory.badPointerAddress()));
        memory.restoreAfter(last);
        requests.rejected(result == 0 ? -1 : memory.badSlot(first));
        Reference.reachabilityFence(requests);
        return result;
    }

    private static void require(ReceiveWorkRequests requests, int first, int count, int scatterGatherMax) {
        requests.memory().requireOwner();
        Objects.checkFromIndexSize(first, count, requests.slots());
        if (count == 0) {
            throw new IllegalArgumentException("count is 0, and must be at least 1");
        }
        int largest = requests.largestElementCount(first, count);
        if (largest > scatterGatherMax) {
            throw new IllegalArgumentException("a request has " + largest + " scatter/gather elements; this queue was"
                    + " granted " + scatterGatherMax + ". Ask for more when it is made, or split the memory.");
        }
    }
}
