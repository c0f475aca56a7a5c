// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;

/** Collects settings; what each means is told at the accessor of the same name. Not for use by several threads. */
public final class ChannelConfigBuilder {
    private final Map<ChannelSetting, Object> values = new EnumMap<>(ChannelSetting.class);
    private Poller poller;
    private TlsConfig tls;
    private SharedSecret secret;

    ChannelConfigBuilder() {}

    ChannelConfigBuilder(Map<ChannelSetting, Object> values, Poller poller, TlsConfig tls, SharedSecret secret) {
        this.values.putAll(values);
        this.poller = poller;
        this.tls = tls;
        this.secret = secret;
    }

    /**
     * Sets the poller that channels belong to.
     *
     * @param value the poller, or null for one of each channel's or listener's own
     * @return this builder
     */
    public ChannelConfigBuilder poller(Poller value) {
        this.poller = value;
        return this;
    }

    /**
     * Secures the control connection by TLS, as {@link #tls(TlsConfig)} does with {@link TlsConfig#of}.
     *
     * @param value the keys and whom to trust
     * @return this builder
     */
    public ChannelConfigBuilder tls(SSLContext value) {
        return tls(TlsConfig.of(value));
    }

    /**
     * Secures the control connection by TLS; both sides must. The data path is not encrypted, whatever the transport.
     * Needs {@link ConnectionMethod#TCP_EXCHANGE}.
     *
     * @param value how
     * @return this builder
     */
    public ChannelConfigBuilder tls(TlsConfig value) {
        this.tls = Objects.requireNonNull(value, "tls");
        return this;
    }

    /**
     * Sets what both sides must know: each proves it to the other before anything else is said, and every frame of the
     * control connection is covered by it. It is no property, since those are seen by many; needs
     * {@link ConnectionMethod#TCP_EXCHANGE}.
     *
     * @param value at least {@value SharedSecret#MIN_BYTES} bytes, best 32 of {@link java.security.SecureRandom}; they
     *     are copied
     * @return this builder
     * @throws IllegalArgumentException if it is too short
     */
    public ChannelConfigBuilder sharedSecret(byte[] value) {
        this.secret = new SharedSecret(value);
        return this;
    }

    /**
     * Sets transport.
     *
     * @param value AUTO unless set
     * @return this builder
     */
    public ChannelConfigBuilder transport(Transport value) {
        return set(ChannelSetting.TRANSPORT, Objects.requireNonNull(value, "transport"));
    }

    /**
     * Sets connectionMethod.
     *
     * @param value TCP_EXCHANGE unless set; RDMA_CM needs transport RDMA
     * @return this builder
     */
    public ChannelConfigBuilder connectionMethod(ConnectionMethod value) {
        return set(ChannelSetting.CONNECTION_METHOD, Objects.requireNonNull(value, "connectionMethod"));
    }

    /**
     * Sets receiveBytes.
     *
     * @param value bytes, 64 to 16 MiB
     * @return this builder
     */
    public ChannelConfigBuilder receiveBytes(int value) {
        return set(ChannelSetting.RECEIVE_BYTES, (long) value);
    }

    /**
     * Sets receiveDepth.
     *
     * @param value 8 to 16,384
     * @return this builder
     */
    public ChannelConfigBuilder receiveDepth(int value) {
        return set(ChannelSetting.RECEIVE_DEPTH, (long) value);
    }

    /**
     * Sets sendDepth.
     *
     * @param value 8 to 16,384
     * @return this builder
     */
    public ChannelConfigBuilder sendDepth(int value) {
        return set(ChannelSetting.SEND_DEPTH, (long) value);
    }

    /**
     * Sets maxMessageBytes.
     *
     * @param value bytes, 0 or more
     * @return this builder
     */
    public ChannelConfigBuilder maxMessageBytes(long value) {
        return set(ChannelSetting.MAX_MESSAGE_BYTES, value);
    }

    /**
     * Sets connectTimeout.
     *
     * @param value 0 to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder connectTimeout(Duration value) {
        return set(ChannelSetting.CONNECT_TIMEOUT, Objects.requireNonNull(value, "connectTimeout"));
    }

    /**
     * Sets handshakeTimeout.
     *
     * @param value 0 to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder handshakeTimeout(Duration value) {
        return set(ChannelSetting.HANDSHAKE_TIMEOUT, Objects.requireNonNull(value, "handshakeTimeout"));
    }

    /**
     * Sets lingerTimeout.
     *
     * @param value 0 for not at all, to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder lingerTimeout(Duration value) {
        return set(ChannelSetting.LINGER_TIMEOUT, Objects.requireNonNull(value, "lingerTimeout"));
    }

    /**
     * Sets recovery.
     *
     * @param value what the channel does when it breaks
     * @return this builder
     */
    public ChannelConfigBuilder recovery(RecoveryPolicy value) {
        return set(ChannelSetting.RECOVERY, Objects.requireNonNull(value, "recovery"));
    }

    /**
     * Sets recoveryTimeout.
     *
     * @param value 0 to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder recoveryTimeout(Duration value) {
        return set(ChannelSetting.RECOVERY_TIMEOUT, Objects.requireNonNull(value, "recoveryTimeout"));
    }

    /**
     * Sets recoveryAttempts.
     *
     * @param value 1 to 1,000,000
     * @return this builder
     */
    public ChannelConfigBuilder recoveryAttempts(int value) {
        return set(ChannelSetting.RECOVERY_ATTEMPTS, (long) value);
    }

    /**
     * Sets returnInterval.
     *
     * @param value 0 to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder returnInterval(Duration value) {
        return set(ChannelSetting.RETURN_INTERVAL, Objects.requireNonNull(value, "returnInterval"));
    }

    /**
     * Sets heartbeatInterval.
     *
     * @param value 0 for none, to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder heartbeatInterval(Duration value) {
        return set(ChannelSetting.HEARTBEAT_INTERVAL, Objects.requireNonNull(value, "heartbeatInterval"));
    }

    /**
     * Sets heartbeatTolerance.
     *
     * @param value 0 to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder heartbeatTolerance(Duration value) {
        return set(ChannelSetting.HEARTBEAT_TOLERANCE, Objects.requireNonNull(value, "heartbeatTolerance"));
    }

    /**
     * Sets pathTimeout.
     *
     * @param value 0 for no limit, to 365 days
     * @return this builder
     */
    public ChannelConfigBuilder pathTimeout(Duration value) {
        return set(ChannelSetting.PATH_TIMEOUT, Objects.requireNonNull(value, "pathTimeout"));
    }

    /**
     * Sets handshakesMax.
     *
     * @param value 1 to 65,536
     * @return this builder
     */
    public ChannelConfigBuilder handshakesMax(int value) {
        return set(ChannelSetting.HANDSHAKES_MAX, (long) value);
    }

    /**
     * Sets handshakesPerAddressMax.
     *
     * @param value 1 to 65,536
     * @return this builder
     */
    public ChannelConfigBuilder handshakesPerAddressMax(int value) {
        return set(ChannelSetting.HANDSHAKES_PER_ADDRESS_MAX, (long) value);
    }

    /**
     * Sets acceptBacklog.
     *
     * @param value 1 to 65,536
     * @return this builder
     */
    public ChannelConfigBuilder acceptBacklog(int value) {
        return set(ChannelSetting.ACCEPT_BACKLOG, (long) value);
    }

    /**
     * Sets socketBufferBytes.
     *
     * @param value bytes, 4 KiB to 1 GiB
     * @return this builder
     */
    public ChannelConfigBuilder socketBufferBytes(int value) {
        return set(ChannelSetting.SOCKET_BUFFER_BYTES, (long) value);
    }

    /**
     * Sets device.
     *
     * @param value its name; empty for the one that has the control connection's address
     * @return this builder
     */
    public ChannelConfigBuilder device(String value) {
        return set(ChannelSetting.DEVICE, Objects.requireNonNull(value, "device"));
    }

    /**
     * Sets port.
     *
     * @param value 1 to 255; 0 for the one that has the address
     * @return this builder
     */
    public ChannelConfigBuilder port(int value) {
        return set(ChannelSetting.PORT, (long) value);
    }

    /**
     * Sets gidIndex.
     *
     * @param value its index; -1 for the best one
     * @return this builder
     */
    public ChannelConfigBuilder gidIndex(int value) {
        return set(ChannelSetting.GID_INDEX, (long) value);
    }

    /**
     * Sets protectionDomain.
     *
     * @param value its name; give each service of a poller its own
     * @return this builder
     */
    public ChannelConfigBuilder protectionDomain(String value) {
        return set(ChannelSetting.PROTECTION_DOMAIN, Objects.requireNonNull(value, "protectionDomain"));
    }

    /**
     * Sets inlineBytes.
     *
     * @param value 0 to 4096; the device grants what it can
     * @return this builder
     */
    public ChannelConfigBuilder inlineBytes(int value) {
        return set(ChannelSetting.INLINE_BYTES, (long) value);
    }

    /**
     * Sets trafficClass.
     *
     * @param value 0 to 255
     * @return this builder
     */
    public ChannelConfigBuilder trafficClass(int value) {
        return set(ChannelSetting.TRAFFIC_CLASS, (long) value);
    }

    /**
     * Sets serviceLevel.
     *
     * @param value 0 to 15
     * @return this builder
     */
    public ChannelConfigBuilder serviceLevel(int value) {
        return set(ChannelSetting.SERVICE_LEVEL, (long) value);
    }

    /**
     * Sets ackTimeout.
     *
     * @param value 1 to 31
     * @return this builder
     */
    public ChannelConfigBuilder ackTimeout(int value) {
        return set(ChannelSetting.ACK_TIMEOUT, (long) value);
    }

    /**
     * Sets retryCount.
     *
     * @param value 0 to 7
     * @return this builder
     */
    public ChannelConfigBuilder retryCount(int value) {
        return set(ChannelSetting.RETRY_COUNT, (long) value);
    }

    /**
     * Fills in the defaults and checks the relations.
     *
     * @return the configuration
     * @throws IllegalArgumentException if values contradict each other; the message names both
     */
    public ChannelConfig build() {
        Map<ChannelSetting, Object> all = new EnumMap<>(ChannelSetting.class);
        for (ChannelSetting setting : ChannelSetting.values()) {
            all.put(setting, values.getOrDefault(setting, setting.defaultValue()));
        }
        ChannelConfig config = new ChannelConfig(all, poller, tls, secret);
        if (config.connectTimeout().compareTo(config.handshakeTimeout()) < 0) {
            throw new IllegalArgumentException("connectTimeout is " + config.connectTimeout()
                    + " and shorter than handshakeTimeout, which is " + config.handshakeTimeout()
                    + "; a connection needs at least one handshake");
        }
        requireRecoverable(config);
        if (config.connectionMethod() == ConnectionMethod.RDMA_CM && config.transport() != Transport.RDMA) {
            throw new IllegalArgumentException("connectionMethod is RDMA_CM and transport is " + config.transport()
                    + "; librdmacm connects RDMA only: set transport to RDMA, or connectionMethod to TCP_EXCHANGE");
        }
        if (config.connectionMethod() == ConnectionMethod.RDMA_CM && (tls != null || secret != null)) {
            throw new IllegalArgumentException("connectionMethod is RDMA_CM, which has no control connection that "
                    + (tls != null ? "tls" : "sharedSecret") + " could protect: set connectionMethod to TCP_EXCHANGE");
        }
        return config;
    }

    private static void requireRecoverable(ChannelConfig config) {
        if (config.recovery() == RecoveryPolicy.DEGRADE && config.transport() == Transport.RDMA) {
            throw new IllegalArgumentException("recovery is DEGRADE and transport is RDMA, which forbids TCP: take"
                    + " transport AUTO, or recovery BLOCK");
        }
        if (config.recovery() != RecoveryPolicy.FAIL && config.connectionMethod() == ConnectionMethod.RDMA_CM) {
            throw new IllegalArgumentException("recovery is " + config.recovery() + " and connectionMethod is RDMA_CM,"
                    + " which has no control connection to agree on it: take TCP_EXCHANGE, or recovery FAIL");
        }
    }

    ChannelConfigBuilder set(ChannelSetting setting, Object value) {
        values.put(setting, setting.check(value));
        return this;
    }
}
