// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import io.rdmachannel.mempool.Registrar;
import io.rdmachannel.verbs.AccessFlag;
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
import java.util.Set;

/**
 * What a source holds of its device.
 *
 * @param context the open device
 * @param domain where everything is registered
 * @param pool buffers that the device may write and peers may read; no peer may write to them
 * @param channel where the queue can be waited for
 * @param queue all completions; belongs to the calling thread until it is handed over
 * @param sharedReceives receives that all links take from; likewise; null when each link has its own
 */
record SourceResources(
        DeviceContext context,
        ProtectionDomain domain,
        RegisteredMemoryPool pool,
        CompletionChannel channel,
        CompletionQueue queue,
        SharedReceiveRing sharedReceives) {
    /**
     * Opens everything.
     *
     * @throws ChannelException if the device refuses; nothing is left open then
     */
    static SourceResources open(PollerConfig poller, DeviceChoice choice) {
        Device device =
                Device.find(choice.device()).orElseThrow(() -> unavailable(choice, new RdmaException("it has gone")));
        try {
            DeviceContext context = device.open();
            try {
                return in(context, poller);
            } catch (RuntimeException | Error failure) {
                context.close();
                throw failure;
            }
        } catch (RdmaException refused) {
            throw unavailable(choice, refused);
        }
    }

    /**
     * Closes everything. Idempotent.
     *
     * @throws io.rdmachannel.mempool.PoolInUseException if leases are out; nothing is closed then
     */
    void close() {
        pool.close();
        context.close();
    }

    /** Gives to the owner what only it may use. */
    void handOver(Thread owner) {
        queue.handOver(owner);
        if (sharedReceives != null) {
            sharedReceives.handOver(owner);
        }
    }

    /** Closes everything, when no link has been made. */
    void abandon() {
        if (sharedReceives != null) {
            sharedReceives.close();
        }
        close();
    }

    private static SourceResources in(DeviceContext context, PollerConfig poller) {
        ProtectionDomain domain = context.allocateProtectionDomain();
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(poolConfig(poller, context.device(), domain));
        try {
            CompletionChannel channel = context.createCompletionChannel();
            CompletionQueue queue =
                    context.createCompletionQueue(CompletionQueueConfig.ofCapacity(poller.completionQueueCapacity())
                            .on(channel)
                            .sharedAs(ThreadSharing.CONFINED));
            SharedReceiveRing shared = poller.sharedReceives()
                    .map(config -> sharedReceives(domain, config))
                    .orElse(null);
            return new SourceResources(context, domain, pool, channel, queue, shared);
        } catch (RuntimeException | Error failure) {
            pool.close();
            throw failure;
        }
    }

    private static SharedReceiveRing sharedReceives(ProtectionDomain domain, SharedReceives config) {
        SharedReceiveQueue queue = domain.createSharedReceiveQueue(
                new SharedReceiveQueueConfig(config.receives(), 1, ThreadSharing.CONFINED));
        return new SharedReceiveRing(queue, config.receives());
    }

    private static PoolConfig poolConfig(PollerConfig poller, Device device, ProtectionDomain domain) {
        Set<AccessFlag> rights = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
        return PoolConfig.builder()
                .name(poller.name() + " rdma " + device.name())
                .headroomBytes(FrameHeader.BYTES)
                .initialBytes(poller.poolBytes())
                .growthBytes(poller.poolBytes())
                .maxBytes(Math.max(poller.poolMaxBytes(), wholeSlab(poller.poolBytes())))
                .numaNodeOf(device)
                .registerWith(Registrar.of(domain, rights))
                .build();
    }

    /** The pool rounds its slabs up to multiples of 64 KiB. */
    private static long wholeSlab(long bytes) {
        return Math.ceilDiv(bytes, 1L << 16) << 16;
    }

    private static ChannelException unavailable(DeviceChoice choice, RdmaException cause) {
        return new ChannelException(
                ChannelException.Reason.UNAVAILABLE,
                "device " + choice.device() + " cannot be used: " + cause.getMessage(),
                cause);
    }
}
