// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The options of a command line: flags such as {@code -V}, and options with a value such as {@code -p 7174}. */
final class Arguments {
    private static final int PORT_MAX = 65535;
    private static final int TIMEOUT_SECONDS_MAX = 86_400;
    private static final int TIMEOUT_SECONDS_DEFAULT = 30;

    private final Map<String, String> values = new HashMap<>();

    private Arguments() {}

    /**
     * Sorts a command line.
     *
     * @throws ExampleException for an option that is not known, or has no value
     */
    static Arguments parse(String[] arguments, String flags, String options) {
        Arguments parsed = new Arguments();
        ArrayDeque<String> rest = new ArrayDeque<>(List.of(arguments));
        while (!rest.isEmpty()) {
            String name = rest.remove();
            if (!name.matches("-[A-Za-z]")) {
                throw new ExampleException("\"" + name + "\" is not an option");
            }
            parsed.take(name.substring(1), rest, flags, options);
        }
        return parsed;
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    int number(String name, int least, int most, int otherwise) {
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
            throw new ExampleException("-" + name + " " + text + " is not a number");
        }
        throw new ExampleException("-" + name + " is " + text + ", and must be between " + least + " and " + most);
    }

    int port(int otherwise) {
        return number("p", 1, PORT_MAX, otherwise);
    }

    Duration timeout() {
        return Duration.ofSeconds(number("t", 1, TIMEOUT_SECONDS_MAX, TIMEOUT_SECONDS_DEFAULT));
    }

    InetAddress address(String name, String otherwise) {
        String text = values.getOrDefault(name, otherwise);
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException unknown) {
            throw new ExampleException("-" + name + " " + text + " is neither an IP address nor a host that is known");
        }
    }

    private void take(String name, ArrayDeque<String> rest, String flags, String options) {
        if (flags.contains(name)) {
            values.put(name, "");
        } else if (!options.contains(name)) {
            throw new ExampleException("there is no option -" + name);
        } else if (rest.isEmpty()) {
            throw new ExampleException("-" + name + " needs a value");
        } else {
            values.put(name, rest.remove());
        }
    }
}
