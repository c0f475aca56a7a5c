// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.CompletionChannel;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.CompletionQueueConfig;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.PortAttributes;
import io.rdmachannel.verbs.PortState;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairCapabilities;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairConfig;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.QueuePairType;
import io.rdmachannel.verbs.ThreadSharing;
import java.util.List;
import java.util.Set;

/**
 * The verbs objects of one side, made in the order in which each needs the one before, with the queue pair in state
 * INIT. Belongs to the thread that opened it, down to its closing.
 */
final class Endpoint implements AutoCloseable {
    private final DeviceContext context;
    private final PortAttributes port;
    private final MessageBuffers buffers;
    private final MemoryRegion region;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final QueuePair pair;

    private Endpoint(DeviceContext context, MessageBuffers buffers, Options options) {
        this.context = context;
        this.buffers = buffers;
        this.port = activePort(options);
        requireSize();
        ProtectionDomain domain = context.allocateProtectionDomain();
        this.region = domain.registerMemory(buffers.memory(), Set.of(AccessFlag.LOCAL_WRITE));
        this.channel = options.events() ? context.createCompletionChannel() : null;
        this.queue = context.createCompletionQueue(queueConfig(options));
        this.pair = domain.createQueuePair(pairConfig(options));
        pair.modify(QueuePairChange.to(QueuePairState.INIT)
                .port(port.port())
                .partitionKeyIndex(0)
                .access(Set.of()));
    }

    static Endpoint open(Options options) {
        Device device = device(options.device());
        MessageBuffers buffers = new MessageBuffers(options.size());
        DeviceContext context = null;
        try {
            context = device.open();
            return new Endpoint(context, buffers, options);
        } catch (RuntimeException failure) {
            if (context != null) {
                context.close();
            }
            buffers.close();
            throw failure;
        }
    }

    DeviceContext context() {
        return context;
    }

    PortAttributes port() {
        return port;
    }

    MessageBuffers buffers() {
        return buffers;
    }

    MemoryRegion region() {
        return region;
    }

    /** Where completions are announced, or null when they are polled for. */
    CompletionChannel channel() {
        return channel;
    }

    CompletionQueue queue() {
        return queue;
    }

    QueuePair pair() {
        return pair;
    }

    /** Closes everything; a context closes what was made in it, in the right order. */
    @Override
    public void close() {
        context.close();
        buffers.close();
    }

    private static Device device(String name) {
        List<Device> devices = Device.list();
        if (devices.isEmpty()) {
            throw new PingPongException("this machine has no RDMA device (see rxe-lab/README.md for one in software)");
        }
        if (name == null) {
            return devices.getFirst();
        }
        return devices.stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new PingPongException("there is no RDMA device named " + name + ", but "
                        + String.join(", ", devices.stream().map(Device::name).toList())));
    }

    private PortAttributes activePort(Options options) {
        PortAttributes attributes;
        try {
            attributes = context.port(options.devicePort());
        } catch (IllegalArgumentException noSuchPort) {
            throw new PingPongException(noSuchPort.getMessage(), noSuchPort);
        }
        if (attributes.state() != PortState.ACTIVE) {
            throw new PingPongException("port " + options.devicePort() + " of "
                    + context.device().name() + " is " + attributes.state() + " and not ACTIVE; check the link");
        }
        return attributes;
    }

    private void requireSize() {
        if (buffers.size() > port.maxMessageSize()) {
            throw new PingPongException("messages of " + buffers.size() + " bytes are too large: the port carries "
                    + port.maxMessageSize() + " at most");
        }
    }

    /** Room for all that can be outstanding: the receives, and one send. */
    private CompletionQueueConfig queueConfig(Options options) {
        CompletionQueueConfig config =
                CompletionQueueConfig.ofCapacity(options.receiveDepth() + 1).sharedAs(ThreadSharing.CONFINED);
        return channel == null ? config : config.on(channel);
    }

    private QueuePairConfig pairConfig(Options options) {
        QueuePairCapabilities sizes = new QueuePairCapabilities(1, options.receiveDepth(), 1, 1, 0);
        return QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, queue, sizes)
                .sharedAs(ThreadSharing.CONFINED);
    }
}
