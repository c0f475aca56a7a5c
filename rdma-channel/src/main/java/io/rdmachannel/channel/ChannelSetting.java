// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;

/**
 * What can be set for a channel: each with its name in properties, its default and its range. {@link ChannelConfig}
 * explains them.
 */
enum ChannelSetting {
    TRANSPORT("transport", "AUTO", Form.of(Transport.class)),
    CONNECTION_METHOD("connectionMethod", "TCP_EXCHANGE", Form.of(ConnectionMethod.class)),
    RECEIVE_BYTES("receiveBytes", "8192", Form.number(64, 1 << 24)),
    RECEIVE_DEPTH("receiveDepth", "128", Form.number(8, 16384)),
    SEND_DEPTH("sendDepth", "128", Form.number(8, 16384)),
    MAX_MESSAGE_BYTES("maxMessageBytes", "67108864", Form.number(0, Long.MAX_VALUE / 2)),
    CONNECT_TIMEOUT("connectTimeout", "PT10S", Form.DURATION),
    HANDSHAKE_TIMEOUT("handshakeTimeout", "PT5S", Form.DURATION),
    LINGER_TIMEOUT("lingerTimeout", "PT5S", Form.DURATION),
    RECOVERY("recovery", "FAIL", Form.of(RecoveryPolicy.class)),
    RECOVERY_TIMEOUT("recoveryTimeout", "PT30S", Form.DURATION),
    RECOVERY_ATTEMPTS("recoveryAttempts", "1000", Form.number(1, 1_000_000)),
    RETURN_INTERVAL("returnInterval", "PT5S", Form.DURATION),
    HEARTBEAT_INTERVAL("heartbeatInterval", "PT0.5S", Form.DURATION),
    HEARTBEAT_TOLERANCE("heartbeatTolerance", "PT3S", Form.DURATION),
    PATH_TIMEOUT("pathTimeout", "PT4S", Form.DURATION),
    HANDSHAKES_MAX("handshakesMax", "64", Form.number(1, 65536)),
    HANDSHAKES_PER_ADDRESS_MAX("handshakesPerAddressMax", "32", Form.number(1, 65536)),
    ACCEPT_BACKLOG("acceptBacklog", "128", Form.number(1, 65536)),
    SOCKET_BUFFER_BYTES("socketBufferBytes", "262144", Form.number(4096, 1 << 30)),
    DEVICE("rdma.device", "", Form.TEXT),
    PORT("rdma.port", "0", Form.number(0, 255)),
    GID_INDEX("rdma.gidIndex", "-1", Form.number(-1, 65535)),
    PROTECTION_DOMAIN("rdma.protectionDomain", "", Form.TEXT),
    INLINE_BYTES("rdma.inlineBytes", "256", Form.number(0, 4096)),
    TRAFFIC_CLASS("rdma.trafficClass", "0", Form.number(0, 255)),
    SERVICE_LEVEL("rdma.serviceLevel", "0", Form.number(0, 15)),
    ACK_TIMEOUT("rdma.ackTimeout", "14", Form.number(1, 31)),
    RETRY_COUNT("rdma.retryCount", "7", Form.number(0, 7));

    private final String key;
    private final String defaultText;
    private final Form form;

    ChannelSetting(String key, String defaultText, Form form) {
        this.key = key;
        this.defaultText = defaultText;
        this.form = form;
    }

    /** The name in properties, behind the prefix. */
    String key() {
        return key;
    }

    String defaultText() {
        return defaultText;
    }

    /** Which values there are, for people. */
    String range() {
        return form.range;
    }

    Object defaultValue() {
        return parse(defaultText);
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if it is not one; the message names setting, value and range
     */
    Object parse(String text) {
        try {
            return check(form.parse.apply(text.strip()));
        } catch (NumberFormatException | DateTimeParseException unreadable) {
            throw new IllegalArgumentException(key + " is \"" + text + "\", and must be " + form.range, unreadable);
        }
    }

    /**
     * Checks a value.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    Object check(Object value) {
        boolean fits = switch (value) {
            case Long number -> number >= form.min && number <= form.max;
            case Duration duration -> !duration.isNegative() && duration.compareTo(Form.DURATION_MAX) <= 0;
            default -> true;
        };
        if (!fits) {
            throw new IllegalArgumentException(key + " is " + value + ", and must be " + form.range);
        }
        return value;
    }

    /** Which values a setting has. */
    private record Form(String range, Function<String, Object> parse, long min, long max) {
        private static final Duration DURATION_MAX = Duration.ofDays(365);
        private static final Form TEXT = new Form("a name, or nothing", text -> text, 0, 0);
        private static final Form DURATION =
                new Form("a duration from 0 to 365 days, such as PT10S", Duration::parse, 0, 0);

        private static <E extends Enum<E>> Form of(Class<E> type) {
            String range = "one of " + Arrays.toString(type.getEnumConstants());
            return new Form(range, text -> constant(type, text), 0, 0);
        }

        private static Form number(long min, long max) {
            return new Form("a number from " + min + " to " + max, Long::valueOf, min, max);
        }

        private static <E extends Enum<E>> Object constant(Class<E> type, String text) {
            try {
                return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException unknown) {
                throw new NumberFormatException(unknown.getMessage());
            }
        }
    }
}
