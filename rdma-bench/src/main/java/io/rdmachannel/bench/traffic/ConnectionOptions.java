// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.Verbs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What server and client are told alike: where, over what, and on which processor. */
public final class ConnectionOptions {
    private static final Duration TOLERANCE_MIN = Duration.ofSeconds(3);
    private static final int SEND_DEPTH_MIN = 16;
    private static final int COMPLETIONS_MIN = 1024;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "7471",
            description = "TCP port of the server, 0 to 65535; at the server 0 is any free one"
                    + " (default: ${DEFAULT-VALUE}).")
    int port;

    @Option(
            names = "--transport",
            paramLabel = "TRANSPORT",
            defaultValue = "auto",
            description = "How the traffic goes: auto (RDMA where both sides can, else TCP), rdma or tcp"
                    + " (default: ${DEFAULT-VALUE}).")
    Transport transport;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            defaultValue = "",
            description = "RDMA device (default: the one that has the connection's local address).")
    String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the device, from 1 (default: the one that has the address).")
    int devicePort;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "INDEX",
            defaultValue = "-1",
            description = "Entry of this side's GID table (default: the best one for the address).")
    int gidIndex;

    @Option(
            names = "--cpu",
            paramLabel = "N",
            defaultValue = "-1",
            description = "Processor that the thread with the traffic is bound to, from 0 (default: any).")
    int cpu;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long connecting may take, and how long the other side may be silent,"
                    + " 1 to 3600 seconds (default: ${DEFAULT-VALUE}).")
    int timeoutSeconds;

    /** Says what is wrong with the values; empty if nothing is. */
    Optional<String> complaint() {
        if (port < 0 || port > 65535) {
            return Optional.of("--port is " + port + "; 0 to 65535 are possible");
        }
        if (timeoutSeconds < 1 || timeoutSeconds > 3600) {
            return Optional.of("--timeout is " + timeoutSeconds + "; 1 to 3600 seconds are possible");
        }
        return Optional.empty();
    }

    Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /** Fails with a remedy where RDMA is required and this machine has none. */
    void requireTransport(Transport wanted) {
        if (wanted != Transport.RDMA) {
            return;
        }
        Optional<String> reason = Verbs.unavailabilityReason();
        if (reason.isEmpty()) {
            List<Device> devices = Device.list();
            if (devices.isEmpty()) {
                reason = Optional.of("there is no RDMA device");
            } else if (!device.isEmpty()
                    && devices.stream().noneMatch(one -> one.name().equals(device))) {
                reason = Optional.of("there is no RDMA device '" + device + "', but "
                        + devices.stream().map(Device::name).toList());
            }
        }
        reason.ifPresent(why -> {
            throw new ToolException("RDMA cannot be used on this machine: " + why
                    + ". `rdma-bench doctor` looks for the cause; --transport tcp does without RDMA");
        });
    }

    /** How the conversation about a test is carried on: over TCP, in a poller that sleeps. */
    ChannelConfig controlConfig(Poller poller) {
        return ChannelConfig.builder()
                .transport(Transport.TCP)
                .poller(poller)
                .receiveDepth(8)
                .sendDepth(8)
                .connectTimeout(timeout())
                .handshakeTimeout(timeout())
                .heartbeatTolerance(tolerance())
                .build();
    }

    /** How the traffic goes. */
    ChannelConfig dataConfig(TestPlan plan, Poller poller) {
        return ChannelConfig.builder()
                .transport(plan.transport())
                .poller(poller)
                .device(device)
                .port(devicePort)
                .gidIndex(gidIndex)
                .inlineBytes(plan.inlineBytes())
                .receiveBytes(plan.receiveBytes())
                .receiveDepth(plan.rxDepth())
                .sendDepth(Math.max(SEND_DEPTH_MIN, plan.txDepth()))
                .connectTimeout(timeout())
                .handshakeTimeout(timeout())
                .heartbeatTolerance(tolerance())
                .build();
    }

    /** Threads bound to one processor with a busy one, as they are to be measured, may be late with a heartbeat. */
    private Duration tolerance() {
        return timeout().compareTo(TOLERANCE_MIN) < 0 ? TOLERANCE_MIN : timeout();
    }

    /** The poller of the traffic, which belongs to the calling thread. */
    static Poller dataPoller(TestPlan plan) {
        int completions = Math.max(COMPLETIONS_MIN, 2 * (plan.txDepth() + plan.rxDepth()));
        // The server of a passive test sleeps, whatever the client does; see ServerSession.
        PollMode mode = plan.mode() == PollMode.BUSY ? PollMode.EVENT : plan.mode();
        return Poller.create(
                PollerConfig.of("traffic").withMode(mode.completionMode()).withCompletionQueueCapacity(completions));
    }
}
