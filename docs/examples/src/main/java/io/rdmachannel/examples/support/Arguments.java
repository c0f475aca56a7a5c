// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Transport;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A command line: options such as {@code --records 1000}, each with a value, and operands. */
public final class Arguments {
    private static final int PORT_MAX = 65535;
    private static final int SECONDS_MAX = 86_400;

    private final Map<String, String> values = new HashMap<>();
    private final List<String> operands = new ArrayList<>();

    private Arguments() {}

    /**
     * Takes a command line apart.
     *
     * @param known the options that there are, without the dashes
     * @param arguments the command line
     * @return its parts
     * @throws UsageException for an option that is not known, or has no value
     */
    public static Arguments parse(Set<String> known, String... arguments) {
        Arguments parsed = new Arguments();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (!argument.startsWith("--")) {
                parsed.operands.add(argument);
                continue;
            }
            String name = argument.substring(2);
            if (!known.contains(name)) {
                throw new UsageException("there is no option --" + name);
            }
            if (i + 1 == arguments.length) {
                throw new UsageException("--" + name + " needs a value");
            }
            parsed.values.put(name, arguments[++i]);
        }
        return parsed;
    }

    /**
     * Gives what is no option.
     *
     * @return in the order of the command line
     */
    public List<String> operands() {
        return List.copyOf(operands);
    }

    /**
     * Gives a text.
     *
     * @param name of the option
     * @param otherwise when it is not there
     * @return the value
     */
    public String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /**
     * Gives a number.
     *
     * @param name of the option
     * @param otherwise when it is not there
     * @param least the smallest allowed
     * @param most the largest allowed
     * @return the value
     */
    public int number(String name, int otherwise, int least, int most) {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // The message below fits as well.
        }
        throw new UsageException(
                "--" + name + " is \"" + text + "\", and must be a number from " + least + " to " + most);
    }

    /**
     * Gives a time in seconds.
     *
     * @param name of the option
     * @param otherwise when it is not there
     * @return the time
     */
    public Duration seconds(String name, int otherwise) {
        return Duration.ofSeconds(number(name, otherwise, 1, SECONDS_MAX));
    }

    /**
     * Gives the option {@code --transport}.
     *
     * @return AUTO when it is not there
     */
    public Transport transport() {
        return constant("transport", Transport.AUTO, Transport.values());
    }

    /**
     * Begins a channel's configuration, with {@code --transport}, and with one limit for all that connecting takes:
     * on an emulated or busy machine opening a device alone takes seconds.
     *
     * @param limit how long connecting may take
     * @return a builder
     */
    public ChannelConfigBuilder channelConfig(Duration limit) {
        return ChannelConfig.builder()
                .transport(transport())
                .connectTimeout(limit)
                .handshakeTimeout(limit);
    }

    /**
     * Gives the option {@code --mode}.
     *
     * @return ADAPTIVE when it is not there
     */
    public CompletionMode mode() {
        return constant("mode", CompletionMode.ADAPTIVE, CompletionMode.values());
    }

    /**
     * Gives where to listen, from {@code --address} and {@code --port}.
     *
     * @param port when there is no {@code --port}
     * @return an address of this machine; port 0 for any free one
     */
    public InetSocketAddress listenAddress(int port) {
        return resolved(text("address", "0.0.0.0"), number("port", port, 0, PORT_MAX));
    }

    /**
     * Reads an operand such as {@code 192.0.2.1:7480}, {@code [fd77::1]:7480} or {@code host}.
     *
     * @param text the operand
     * @param port when it names none
     * @return the address
     */
    public static InetSocketAddress address(String text, int port) {
        int colon = text.lastIndexOf(':');
        boolean bare = colon < 0 || text.endsWith("]") || text.indexOf(':') < colon && !text.startsWith("[");
        String host = (bare ? text : text.substring(0, colon)).replaceAll("^\\[|\\]$", "");
        try {
            return resolved(host, bare ? port : Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException noPort) {
            throw new UsageException("\"" + text + "\" is no address such as 192.0.2.1:" + port);
        }
    }

    private static InetSocketAddress resolved(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UsageException("\"" + host + "\" is neither an IP address nor a host that is known");
        }
        return address;
    }

    private <T extends Enum<T>> T constant(String name, T otherwise, T[] all) {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        String wanted = text.toUpperCase(Locale.ROOT);
        return Arrays.stream(all)
                .filter(constant -> constant.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new UsageException("--" + name + " is \"" + text + "\", and must be one of "
                        + Arrays.toString(all).toLowerCase(Locale.ROOT)));
    }
}
