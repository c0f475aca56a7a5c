// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.verbs.CompletionChannel;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.CompletionQueueConfig;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.RdmaException;
import io.rdmachannel.verbs.SharedReceiveQueue;
import io.rdmachannel.verbs.SharedReceiveQueueConfig;
import io.rdmachannel.verbs.ThreadSharing;

/**
 * What a source holds of its device.
 *
 * @param context the open device
 * @param domain where everything is registered
 * @param channel where the queue can be waited for
 * @param queue all completions; belongs to the calling thread until it is handed over
 * @param sharedReceives receives that all links take from; likewise; null when each link has its own
 */
record SourceResources(
        DeviceContext context,
        ProtectionDomain domain,
        CompletionChannel channel,
        CompletionQueue queue,
        SharedReceiveRing sharedReceives) {
    /**
     * Opens everything.
     *
     * @throws ChannelException if the device refuses; nothing is left open then
     */
    static SourceResources open(PollerConfig poller, DeviceChoice choice) {
        try {
            Device device =
                    Device.find(choice.device()).orElseThrow(() -> new RdmaException("there is no such device now"));
            DeviceContext context = device.open();
            try {
                return in(context, poller);
            } catch (RuntimeException | Error failure) {
                context.close();
                throw failure;
            }
        } catch (RdmaException refused) {
            throw new ChannelException(
                    ChannelException.Reason.UNAVAILABLE,
                    "device " + choice.device() + " cannot be used: " + refused.getMessage(),
                    refused);
        }
    }

    /** Takes the receives back that links share; there are no links any more. Idempotent. */
    void closeShared() {
        if (sharedReceives != null) {
            sharedReceives.close();
        }
    }

    /** Closes everything else. Idempotent. */
    void close() {
        context.close();
    }

    /** Gives to the owner what only it may use. */
    void handOver(Thread owner) {
        queue.handOver(owner);
        if (sharedReceives != null) {
            sharedReceives.handOver(owner);
        }
    }

    private static SourceResources in(DeviceContext context, PollerConfig poller) {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue queue =
                context.createCompletionQueue(CompletionQueueConfig.ofCapacity(poller.completionQueueCapacity())
                        .on(channel)
                        .sharedAs(ThreadSharing.CONFINED));
        SharedReceiveRing shared = poller.sharedReceives()
                .map(config -> sharedReceives(domain, config))
                .orElse(null);
        return new SourceResources(context, domain, channel, queue, shared);
    }

    private static SharedReceiveRing sharedReceives(ProtectionDomain domain, SharedReceives config) {
        SharedReceiveQueue queue = domain.createSharedReceiveQueue(
                new SharedReceiveQueueConfig(config.receives(), 1, ThreadSharing.CONFINED));
        return new SharedReceiveRing(queue, config.receives());
    }
}
