// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * How a channel works: an immutable value from {@link #builder()} or {@link #fromProperties}. The two sides of a
 * channel may differ; where a value concerns both, the handshake takes the smaller one. What a device grants is known
 * only then, and a device that cannot grant what is set refuses with both numbers in the message.
 *
 * <p>Each setting is also a property of its name behind {@value #PREFIX}, those of devices behind {@code rdma.}.
 */
public final class ChannelConfig {
    /** What the names of properties begin with. */
    public static final String PREFIX = "io.rdmachannel.channel.";

    private final Map<ChannelSetting, Object> values;
    private final Poller poller;
    private final TlsConfig tls;
    private final SharedSecret secret;

    ChannelConfig(Map<ChannelSetting, Object> values, Poller poller, TlsConfig tls, SharedSecret secret) {
        this.values = values;
        this.poller = poller;
        this.tls = tls;
        this.secret = secret;
    }

    /**
     * Starts with the defaults.
     *
     * @return a builder
     */
    public static ChannelConfigBuilder builder() {
        return new ChannelConfigBuilder();
    }

    /**
     * Reads a configuration: the defaults, changed by what is set.
     *
     * @param properties such as {@link System#getProperties()}; names without the prefix are ignored
     * @return a builder, so that a program can change more
     * @throws IllegalArgumentException if a name behind the prefix is unknown, or a value is out of range
     */
    public static ChannelConfigBuilder fromProperties(Properties properties) {
        ChannelConfigBuilder builder = new ChannelConfigBuilder();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                ChannelSetting setting = settingNamed(name.substring(PREFIX.length()));
                builder.set(setting, setting.parse(properties.getProperty(name)));
            }
        }
        return builder;
    }

    /**
     * Starts with these values.
     *
     * @return a builder
     */
    public ChannelConfigBuilder toBuilder() {
        return new ChannelConfigBuilder(values, poller, tls, secret);
    }

    /**
     * Gives the poller that channels belong to.
     *
     * @return the poller; empty when each gets its own
     */
    public Optional<Poller> poller() {
        return Optional.ofNullable(poller);
    }

    /**
     * Says how the control connection is secured by TLS.
     *
     * @return how; empty when it is not
     */
    public Optional<TlsConfig> tls() {
        return Optional.ofNullable(tls);
    }

    /**
     * Gives what both sides prove to each other to know.
     *
     * @return the secret; empty when there is none
     */
    public Optional<SharedSecret> sharedSecret() {
        return Optional.ofNullable(secret);
    }

    /**
     * Says how the bytes travel.
     *
     * @return AUTO unless set
     */
    public Transport transport() {
        return (Transport) values.get(ChannelSetting.TRANSPORT);
    }

    /**
     * Says how the two sides find and describe each other.
     *
     * @return TCP_EXCHANGE unless set
     */
    public ConnectionMethod connectionMethod() {
        return (ConnectionMethod) values.get(ChannelSetting.CONNECTION_METHOD);
    }

    /**
     * Says the size of receive buffers: the longest message that is sent at once, while longer ones are fetched by the
     * receiver; the smaller of the two sides' values counts.
     *
     * @return bytes, 64 to 16 MiB
     */
    public int receiveBytes() {
        return number(ChannelSetting.RECEIVE_BYTES);
    }

    /**
     * Says how many receive buffers this side has, so how far the peer may be ahead.
     *
     * @return 8 to 16,384
     */
    public int receiveDepth() {
        return number(ChannelSetting.RECEIVE_DEPTH);
    }

    /**
     * Says how many messages and operations may be outstanding.
     *
     * @return 8 to 16,384
     */
    public int sendDepth() {
        return number(ChannelSetting.SEND_DEPTH);
    }

    /**
     * Says the longest message; the smaller of the two sides' values counts.
     *
     * @return bytes, 0 or more
     */
    public long maxMessageBytes() {
        return (long) values.get(ChannelSetting.MAX_MESSAGE_BYTES);
    }

    /**
     * Says how long connecting may take in all, repeated attempts included.
     *
     * @return 0 to 365 days
     */
    public Duration connectTimeout() {
        return (Duration) values.get(ChannelSetting.CONNECT_TIMEOUT);
    }

    /**
     * Says how long one handshake may take.
     *
     * @return 0 to 365 days
     */
    public Duration handshakeTimeout() {
        return (Duration) values.get(ChannelSetting.HANDSHAKE_TIMEOUT);
    }

    /**
     * Says how long close waits for what was sent.
     *
     * @return 0 for not at all, to 365 days
     */
    public Duration lingerTimeout() {
        return (Duration) values.get(ChannelSetting.LINGER_TIMEOUT);
    }

    /**
     * Says what the channel does when it breaks.
     *
     * @return FAIL unless set
     */
    public RecoveryPolicy recovery() {
        return (RecoveryPolicy) values.get(ChannelSetting.RECOVERY);
    }

    /**
     * Says how long a recovery may take in all, before the channel fails.
     *
     * @return 0 to 365 days
     */
    public Duration recoveryTimeout() {
        return (Duration) values.get(ChannelSetting.RECOVERY_TIMEOUT);
    }

    /**
     * Says how often the connecting side tries to connect in one recovery.
     *
     * @return 1 to 1,000,000
     */
    public int recoveryAttempts() {
        return number(ChannelSetting.RECOVERY_ATTEMPTS);
    }

    /**
     * Says how long a degraded channel stays on TCP before it tries RDMA again; doubled with each failure, up to 16
     * times.
     *
     * @return 0 to 365 days
     */
    public Duration returnInterval() {
        return (Duration) values.get(ChannelSetting.RETURN_INTERVAL);
    }

    /**
     * Says how often this side wants a heartbeat to be sent on the control connection; the smaller of the two sides'
     * values counts for both.
     *
     * @return 0 for none, to 365 days
     */
    public Duration heartbeatInterval() {
        return (Duration) values.get(ChannelSetting.HEARTBEAT_INTERVAL);
    }

    /**
     * Says how long nothing may be heard on the control connection before the path counts as lost; at least three
     * intervals are waited for.
     *
     * @return 0 to 365 days
     */
    public Duration heartbeatTolerance() {
        return (Duration) values.get(ChannelSetting.HEARTBEAT_TOLERANCE);
    }

    /**
     * Says how long the RDMA path may carry nothing before it counts as lost, whatever the device's own retries. When
     * nothing ends for half of it, a write of nothing is sent as a probe.
     *
     * @return 0 for no such limit, to 365 days
     */
    public Duration pathTimeout() {
        return (Duration) values.get(ChannelSetting.PATH_TIMEOUT);
    }

    /**
     * Says how many handshakes a listener carries on at once; further connections are closed at once.
     *
     * @return 1 to 65,536
     */
    public int handshakesMax() {
        return number(ChannelSetting.HANDSHAKES_MAX);
    }

    /**
     * Says how many of them may be of one remote address.
     *
     * @return 1 to 65,536
     */
    public int handshakesPerAddressMax() {
        return number(ChannelSetting.HANDSHAKES_PER_ADDRESS_MAX);
    }

    /**
     * Says how many connected channels may wait to be accepted; further ones are refused.
     *
     * @return 1 to 65,536
     */
    public int acceptBacklog() {
        return number(ChannelSetting.ACCEPT_BACKLOG);
    }

    /**
     * Says the size of each buffer of the tcp transport, in this process and in the kernel.
     *
     * @return bytes, 4 KiB to 1 GiB
     */
    public int socketBufferBytes() {
        return number(ChannelSetting.SOCKET_BUFFER_BYTES);
    }

    /**
     * Says which RDMA device is used.
     *
     * @return its name; empty for the one that has the control connection's address
     */
    public String device() {
        return (String) values.get(ChannelSetting.DEVICE);
    }

    /**
     * Says which port of the device is used.
     *
     * @return 1 to 255; 0 for the one that has the address
     */
    public int port() {
        return number(ChannelSetting.PORT);
    }

    /**
     * Says which entry of this side's GID table is used.
     *
     * @return its index; -1 for the best one
     */
    public int gidIndex() {
        return number(ChannelSetting.GID_INDEX);
    }

    /**
     * Names the protection domain in which this channel's memory is registered. Within a poller, keys of one domain are
     * useless to the peers of channels of another one, and the buffers of one cannot be used by channels of another.
     * Each has a pool and a completion queue of its own, until the poller closes.
     *
     * @return its name, of any text; empty for the poller's first one, which channels share that name none
     */
    public String protectionDomain() {
        return (String) values.get(ChannelSetting.PROTECTION_DOMAIN);
    }

    /**
     * Says how many bytes, header included, are asked to go inline with the work request.
     *
     * @return 0 to 4096; the device grants what it can
     */
    public int inlineBytes() {
        return number(ChannelSetting.INLINE_BYTES);
    }

    /**
     * Says the traffic class of packets (DSCP and ECN).
     *
     * @return 0 to 255
     */
    public int trafficClass() {
        return number(ChannelSetting.TRAFFIC_CLASS);
    }

    /**
     * Says the service level of the path.
     *
     * @return 0 to 15
     */
    public int serviceLevel() {
        return number(ChannelSetting.SERVICE_LEVEL);
    }

    /**
     * Says how long the device waits for an acknowledgement: 4.096 µs × 2 to this power.
     *
     * @return 1 to 31
     */
    public int ackTimeout() {
        return number(ChannelSetting.ACK_TIMEOUT);
    }

    /**
     * Says how often the device repeats before it gives up.
     *
     * @return 0 to 7
     */
    public int retryCount() {
        return number(ChannelSetting.RETRY_COUNT);
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(entry.getKey().defaultValue()))
                .map(entry -> entry.getKey().key() + "=" + entry.getValue())
                .collect(Collectors.joining(", ", "channel configuration [", "]"));
    }

    private int number(ChannelSetting setting) {
        return Math.toIntExact((long) values.get(setting));
    }

    private static ChannelSetting settingNamed(String key) {
        return Arrays.stream(ChannelSetting.values())
                .filter(setting -> setting.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no setting " + PREFIX + key + "; there are "
                        + Arrays.stream(ChannelSetting.values())
                                .map(ChannelSetting::key)
                                .collect(Collectors.joining(", "))));
    }
}
