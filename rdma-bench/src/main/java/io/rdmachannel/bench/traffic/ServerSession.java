// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/** The server's side of one client's test. Runs in a thread of its own. */
final class ServerSession {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final ConnectionOptions options;
    private final InetSocketAddress dataAddress;
    private final ControlLink control;
    private final Consumer<String> log;
    private final TrafficHandler peer = new TrafficHandler();

    /**
     * Makes a session.
     *
     * @param options the server's own
     * @param dataAddress where the channel for the traffic is to be accepted
     * @param control the conversation with the client, which has said something
     * @param log told what happens, a line each
     */
    ServerSession(ConnectionOptions options, InetSocketAddress dataAddress, ControlLink control, Consumer<String> log) {
        this.options = options;
        this.dataAddress = dataAddress;
        this.control = control;
        this.log = log;
    }

    /**
     * Serves.
     *
     * @throws ToolException if the test cannot be run, or does not end well; the client has been told
     */
    void run() throws InterruptedException {
        TestPlan plan = agree();
        try (Poller poller = ConnectionOptions.dataPoller(plan);
                TestMemory memory = new TestMemory(plan.sizeMax());
                RdmaChannel channel = accept(plan, poller)) {
            log.accept(plan.test() + " over " + channel.transport() + ", " + plan.mode() + ", up to " + plan.sizeMax()
                    + " bytes");
            ThreadPin.pin(options.cpu);
            serve(plan, line(plan, channel), memory);
        } catch (ChannelException failed) {
            control.send(ControlMessage.refused(failed.getMessage()));
            throw failed;
        }
    }

    private TestPlan agree() throws InterruptedException {
        try {
            ControlMessage first = control.require(options.timeout());
            if (first.type() != ControlMessage.Type.PLAN || first.plan() == null) {
                throw new ToolException("a client begins with a plan");
            }
            return first.plan().withTransport(transport(first.plan().transport()));
        } catch (ToolException refused) {
            control.send(ControlMessage.refused(refused.getMessage()));
            throw refused;
        }
    }

    private Transport transport(Transport wanted) {
        Transport own = options.transport;
        if (own != Transport.AUTO && wanted != Transport.AUTO && own != wanted) {
            throw new ToolException("the client wants " + wanted + ", and the server was started with --transport "
                    + own + ": leave the option out on one side");
        }
        Transport agreed = wanted == Transport.AUTO ? own : wanted;
        try {
            options.requireTransport(agreed);
        } catch (ToolException missing) {
            throw new ToolException("at the server: " + missing.getMessage(), missing);
        }
        return agreed;
    }

    private RdmaChannel accept(TestPlan plan, Poller poller) throws InterruptedException {
        try (RdmaListener listener = RdmaListener.bind(dataAddress, options.dataConfig(plan, poller), () -> peer)) {
            control.send(ControlMessage.accepted(listener.address().getPort()));
            long end = System.nanoTime() + options.timeout().toNanos();
            RdmaChannel channel = null;
            while (channel == null) {
                if (control.isOver() || System.nanoTime() - end > 0) {
                    throw new ToolException("the client has not connected the channel for the traffic");
                }
                channel = listener.accept(Duration.ofMillis(100));
            }
            return channel;
        }
    }

    /** Over RDMA the adapter alone serves a passive test, and the thread had better leave the processor to others. */
    private DataLine line(TestPlan plan, RdmaChannel channel) {
        boolean adapterAlone = plan.test().isPassive() && channel.transport() == Transport.RDMA;
        boolean sleeps = adapterAlone || plan.mode() != PollMode.BUSY;
        boolean mayBeSilent = plan.test().isPassive() || plan.rate() > 0;
        return new DataLine(channel, peer, sleeps, mayBeSilent ? Duration.ZERO : options.timeout());
    }

    private void serve(TestPlan plan, DataLine line, TestMemory memory) throws InterruptedException {
        if (plan.test().isOneSided()) {
            memory.expose(line);
        }
        Lease source =
                plan.test() == TestKind.WRITE_LAT ? line.acquire(WritePingPong.sourceBytes(plan.sizeMax())) : null;
        try {
            int size = awaitRun(plan, line);
            while (size > 0) {
                peer.ended = false;
                switch (plan.test()) {
                    case SEND_LAT -> echo(line);
                    case WRITE_LAT -> writeBack(line, memory.segment(), source, size);
                    default -> letHappen(line);
                }
                size = awaitRun(plan, line);
            }
        } finally {
            if (source != null) {
                source.release();
            }
        }
    }

    /** Waits for the client's next size; 0 when it has closed the channel. Meanwhile the channel goes on. */
    private int awaitRun(TestPlan plan, DataLine line) throws InterruptedException {
        long end = System.nanoTime() + options.timeout().toNanos();
        while (line.channel.state().isOpen()) {
            ControlMessage message = control.receive(PAUSE);
            if (message != null) {
                return runSize(plan, message);
            }
            if (System.nanoTime() - end > 0) {
                throw new ToolException("the client has been silent for " + options.timeoutSeconds + " s");
            }
            line.channel.poll();
        }
        line.channel.failure().ifPresent(failure -> {
            throw failure;
        });
        return 0;
    }

    private static int runSize(TestPlan plan, ControlMessage message) {
        Integer size = message.size();
        if (message.type() != ControlMessage.Type.RUN || size == null || size < 1 || size > plan.sizeMax()) {
            throw new ToolException(
                    "the client was to begin with a size up to " + plan.sizeMax() + ", and sends " + message);
        }
        return size;
    }

    /** The handler answers; what it cannot send is sent here. */
    private void echo(DataLine line) {
        peer.echoes = true;
        control.send(ControlMessage.ready());
        while (!peer.ended) {
            line.await();
            peer.settle(line);
        }
        peer.echoes = false;
    }

    private void writeBack(DataLine line, MemorySegment memory, Lease source, int size) {
        RemoteRegion remote = line.region();
        WritePingPong.clear(memory, size);
        WritePingPong pingPong = new WritePingPong(line, memory, remote, source, size);
        control.send(ControlMessage.ready());
        while (pingPong.await()) {
            pingPong.write();
        }
        pingPong.finish();
    }

    private void letHappen(DataLine line) {
        control.send(ControlMessage.ready());
        while (!peer.ended) {
            line.await();
        }
    }
}
