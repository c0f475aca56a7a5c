// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The client's side of a test: agrees with the server, connects, measures. Blocks, and uses the calling thread. */
public final class ClientSession {
    private final String host;
    private final TestKind test;
    private final ConnectionOptions connection;
    private final TestOptions options;
    private final List<Double> percentiles;

    /**
     * Makes a session.
     *
     * @param host the server
     * @param test what to measure
     * @param connection where, and over what
     * @param options how
     * @param percentiles those that are wanted beside the usual ones
     */
    public ClientSession(
            String host, TestKind test, ConnectionOptions connection, TestOptions options, List<Double> percentiles) {
        this.host = host;
        this.test = test;
        this.connection = connection;
        this.options = options;
        this.percentiles = percentiles;
    }

    /**
     * Measures. The calling thread is bound to the wanted processor from when the channel is connected, and stays so.
     *
     * @return a result for each size
     * @throws ToolException if it fails; the message says why
     * @throws InterruptedException if interrupted
     */
    public List<TestResult> run() throws InterruptedException {
        connection.requireTransport(connection.transport);
        PollerConfig config = PollerConfig.of("control").withMode(CompletionMode.EVENT);
        try (Poller poller = Poller.start(config);
                ControlLink control = new ControlLink("server", link -> {})) {
            InetSocketAddress server = address(connection.port);
            connectControl(server, poller, control);
            TestPlan plan = options.plan(test, connection.transport);
            control.send(ControlMessage.plan(plan));
            return measure(plan, control, address(acceptedPort(control)));
        }
    }

    private void connectControl(InetSocketAddress server, Poller poller, ControlLink control)
            throws InterruptedException {
        try {
            RdmaChannel.connect(server, connection.controlConfig(poller), control);
        } catch (ChannelException failed) {
            throw switch (failed.reason()) {
                case UNREACHABLE ->
                    new ToolException(
                            "nobody answers at " + host + " port " + connection.port + ": start `rdma-bench server"
                                    + " --port " + connection.port + "` there, and see that a firewall lets the port"
                                    + " through (" + failed.getMessage() + ")",
                            failed);
                case PROTOCOL, TIMEOUT ->
                    new ToolException(
                            "what listens at " + host + " port " + connection.port + " is no rdma-bench server, or is"
                                    + " stopped (" + failed.getMessage() + ")",
                            failed);
                default -> failed;
            };
        }
    }

    private int acceptedPort(ControlLink control) throws InterruptedException {
        ControlMessage answer = control.require(connection.timeout());
        return switch (answer.type()) {
            case ACCEPTED -> answer.port();
            case REFUSED -> throw new ToolException("the server refuses: " + answer.reason());
            default -> throw new ToolException("the server answers a plan with " + answer.type());
        };
    }

    private List<TestResult> measure(TestPlan plan, ControlLink control, InetSocketAddress data)
            throws InterruptedException {
        TrafficHandler peer = new TrafficHandler();
        try (Poller poller = ConnectionOptions.dataPoller(plan);
                TestMemory memory = new TestMemory(test == TestKind.WRITE_LAT ? plan.sizeMax() : 1);
                RdmaChannel channel = connectData(plan, control, data, poller, peer)) {
            boolean sleeps = plan.mode() != PollMode.BUSY;
            DataLine line = new DataLine(channel, peer, sleeps, connection.timeout());
            try (ClientRuns runs = new ClientRuns(plan, options, line, control, memory)) {
                ThreadPin.pin(connection.cpu);
                return runAll(runs, new ResultFactory(plan, channel, connection.device, percentiles));
            }
        }
    }

    private List<TestResult> runAll(ClientRuns runs, ResultFactory factory) throws InterruptedException {
        List<TestResult> results = new ArrayList<>();
        for (int size : options.sizes(test)) {
            results.add(
                    test.isLatency()
                            ? factory.latency(size, runs.latency(size, connection.timeout()))
                            : factory.bandwidth(size, runs.bandwidth(size, connection.timeout())));
        }
        return results;
    }

    /** The server knows better than a broken connection what was wrong. */
    private RdmaChannel connectData(
            TestPlan plan, ControlLink control, InetSocketAddress data, Poller poller, TrafficHandler peer)
            throws InterruptedException {
        try {
            return RdmaChannel.connect(data, connection.dataConfig(plan, poller), peer);
        } catch (ChannelException failed) {
            throw new ToolException(
                    "the channel for the traffic could not be connected to " + host + " port " + data.getPort() + ": "
                            + failed.getMessage(),
                    failed);
        }
    }

    private InetSocketAddress address(int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new ToolException("there is no host '" + host + "'");
        }
        return address;
    }
}
