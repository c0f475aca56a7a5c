// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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

    private ChannelConfig(Map<ChannelSetting, Object> values, Poller poller) {
        this.values = values;
        this.poller = poller;
    }

    /**
     * Starts with the defaults.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Reads a configuration: the defaults, changed by what is set.
     *
     * @param properties such as {@link System#getProperties()}; names without the prefix are ignored
     * @return a builder, so that a program can change more
     * @throws IllegalArgumentException if a name behind the prefix is unknown, or a value is out of range
     */
    public static Builder fromProperties(Properties properties) {
        Builder builder = new Builder();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                ChannelSetting setting = settingNamed(name.substring(PREFIX.length()));
                builder.values.put(setting, setting.parse(properties.getProperty(name)));
            }
        }
        return builder;
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
     * Says how the bytes travel.
     *
     * @return AUTO unless set
     */
    public Transport transport() {
        return (Transport) values.get(ChannelSetting.TRANSPORT);
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
     * Says how many handshakes a listener carries on at once; further connections are closed at once.
     *
     * @return 1 to 65,536
     */
    public int handshakesMax() {
        return number(ChannelSetting.HANDSHAKES_MAX);
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

    /** Collects settings; what each means is told at the accessor of the same name. Not for use by several threads. */
    public static final class Builder {
        private final Map<ChannelSetting, Object> values = new EnumMap<>(ChannelSetting.class);
        private Poller poller;

        private Builder() {}

        /**
         * Sets the poller that channels belong to.
         *
         * @param value the poller, or null for one of each channel's or listener's own
         * @return this builder
         */
        public Builder poller(Poller value) {
            this.poller = value;
            return this;
        }

        /**
         * Sets transport.
         *
         * @param value AUTO unless set
         * @return this builder
         */
        public Builder transport(Transport value) {
            return set(ChannelSetting.TRANSPORT, Objects.requireNonNull(value, "transport"));
        }

        /**
         * Sets receiveBytes.
         *
         * @param value bytes, 64 to 16 MiB
         * @return this builder
         */
        public Builder receiveBytes(int value) {
            return set(ChannelSetting.RECEIVE_BYTES, (long) value);
        }

        /**
         * Sets receiveDepth.
         *
         * @param value 8 to 16,384
         * @return this builder
         */
        public Builder receiveDepth(int value) {
            return set(ChannelSetting.RECEIVE_DEPTH, (long) value);
        }

        /**
         * Sets sendDepth.
         *
         * @param value 8 to 16,384
         * @return this builder
         */
        public Builder sendDepth(int value) {
            return set(ChannelSetting.SEND_DEPTH, (long) value);
        }

        /**
         * Sets maxMessageBytes.
         *
         * @param value bytes, 0 or more
         * @return this builder
         */
        public Builder maxMessageBytes(long value) {
            return set(ChannelSetting.MAX_MESSAGE_BYTES, value);
        }

        /**
         * Sets connectTimeout.
         *
         * @param value 0 to 365 days
         * @return this builder
         */
        public Builder connectTimeout(Duration value) {
            return set(ChannelSetting.CONNECT_TIMEOUT, Objects.requireNonNull(value, "connectTimeout"));
        }

        /**
         * Sets handshakeTimeout.
         *
         * @param value 0 to 365 days
         * @return this builder
         */
        public Builder handshakeTimeout(Duration value) {
            return set(ChannelSetting.HANDSHAKE_TIMEOUT, Objects.requireNonNull(value, "handshakeTimeout"));
        }

        /**
         * Sets lingerTimeout.
         *
         * @param value 0 for not at all, to 365 days
         * @return this builder
         */
        public Builder lingerTimeout(Duration value) {
            return set(ChannelSetting.LINGER_TIMEOUT, Objects.requireNonNull(value, "lingerTimeout"));
        }

        /**
         * Sets handshakesMax.
         *
         * @param value 1 to 65,536
         * @return this builder
         */
        public Builder handshakesMax(int value) {
            return set(ChannelSetting.HANDSHAKES_MAX, (long) value);
        }

        /**
         * Sets acceptBacklog.
         *
         * @param value 1 to 65,536
         * @return this builder
         */
        public Builder acceptBacklog(int value) {
            return set(ChannelSetting.ACCEPT_BACKLOG, (long) value);
        }

        /**
         * Sets socketBufferBytes.
         *
         * @param value bytes, 4 KiB to 1 GiB
         * @return this builder
         */
        public Builder socketBufferBytes(int value) {
            return set(ChannelSetting.SOCKET_BUFFER_BYTES, (long) value);
        }

        /**
         * Sets device.
         *
         * @param value its name; empty for the one that has the control connection's address
         * @return this builder
         */
        public Builder device(String value) {
            return set(ChannelSetting.DEVICE, Objects.requireNonNull(value, "device"));
        }

        /**
         * Sets port.
         *
         * @param value 1 to 255; 0 for the one that has the address
         * @return this builder
         */
        public Builder port(int value) {
            return set(ChannelSetting.PORT, (long) value);
        }

        /**
         * Sets gidIndex.
         *
         * @param value its index; -1 for the best one
         * @return this builder
         */
        public Builder gidIndex(int value) {
            return set(ChannelSetting.GID_INDEX, (long) value);
        }

        /**
         * Sets inlineBytes.
         *
         * @param value 0 to 4096; the device grants what it can
         * @return this builder
         */
        public Builder inlineBytes(int value) {
            return set(ChannelSetting.INLINE_BYTES, (long) value);
        }

        /**
         * Sets trafficClass.
         *
         * @param value 0 to 255
         * @return this builder
         */
        public Builder trafficClass(int value) {
            return set(ChannelSetting.TRAFFIC_CLASS, (long) value);
        }

        /**
         * Sets serviceLevel.
         *
         * @param value 0 to 15
         * @return this builder
         */
        public Builder serviceLevel(int value) {
            return set(ChannelSetting.SERVICE_LEVEL, (long) value);
        }

        /**
         * Sets ackTimeout.
         *
         * @param value 1 to 31
         * @return this builder
         */
        public Builder ackTimeout(int value) {
            return set(ChannelSetting.ACK_TIMEOUT, (long) value);
        }

        /**
         * Sets retryCount.
         *
         * @param value 0 to 7
         * @return this builder
         */
        public Builder retryCount(int value) {
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
            ChannelConfig config = new ChannelConfig(all, poller);
            if (config.connectTimeout().compareTo(config.handshakeTimeout()) < 0) {
                throw new IllegalArgumentException("connectTimeout is " + config.connectTimeout()
                        + " and shorter than handshakeTimeout, which is " + config.handshakeTimeout()
                        + "; a connection needs at least one handshake");
            }
            return config;
        }

        private Builder set(ChannelSetting setting, Object value) {
            values.put(setting, setting.check(value));
            return this;
        }
    }
}
