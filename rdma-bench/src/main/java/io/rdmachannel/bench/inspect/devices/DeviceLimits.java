// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.devices;

import io.rdmachannel.verbs.AtomicCapability;
import io.rdmachannel.verbs.DeviceAttributes;

/**
 * How much of everything a device has, as it says.
 *
 * @param queuePairs queue pairs
 * @param workRequests outstanding requests of a send or receive queue
 * @param scatterGather scatter-gather entries of a request
 * @param readScatterGather scatter-gather entries of a read
 * @param completionQueues completion queues
 * @param completionQueueEntries entries of a completion queue
 * @param regions memory regions
 * @param regionBytes bytes of a memory region
 * @param readsServed reads and atomics of the peer that a queue pair serves at a time
 * @param readsInitiated reads and atomics that a queue pair asks for at a time
 * @param atomics against what atomics are atomic
 * @param sharedReceiveQueues shared receive queues; 0 when there are none
 * @param sharedReceiveRequests outstanding requests of one of them
 * @param memoryWindows memory windows
 */
public record DeviceLimits(
        int queuePairs,
        int workRequests,
        int scatterGather,
        int readScatterGather,
        int completionQueues,
        int completionQueueEntries,
        int regions,
        long regionBytes,
        int readsServed,
        int readsInitiated,
        AtomicCapability atomics,
        int sharedReceiveQueues,
        int sharedReceiveRequests,
        int memoryWindows) {
    static DeviceLimits of(DeviceAttributes attributes) {
        DeviceAttributes.QueueLimits queues = attributes.queueLimits();
        DeviceAttributes.MemoryLimits memory = attributes.memoryLimits();
        return new DeviceLimits(
                queues.maxQueuePairs(),
                queues.maxWorkRequests(),
                queues.maxScatterGather(),
                queues.maxReadScatterGather(),
                queues.maxCompletionQueues(),
                queues.maxCompletionQueueEntries(),
                memory.maxRegions(),
                memory.maxRegionSize(),
                attributes.readLimits().maxPerQueuePair(),
                attributes.readLimits().maxInitiatedPerQueuePair(),
                attributes.atomicCapability(),
                queues.maxSharedReceiveQueues(),
                queues.maxSharedReceiveRequests(),
                memory.maxWindows());
    }
}
