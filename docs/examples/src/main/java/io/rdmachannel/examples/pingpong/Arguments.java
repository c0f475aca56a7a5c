// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** A command line taken apart by the rules of {@code getopt_long(3)}: options anywhere, each with its last value. */
final class Arguments {
    private final Map<Option, String> values = new EnumMap<>(Option.class);
    private final List<String> operands = new ArrayList<>();

    Arguments(String... arguments) {
        Iterator<String> rest = List.of(arguments).iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            if (argument.equals("--")) {
                rest.forEachRemaining(operands::add);
            } else if (argument.startsWith("--")) {
                takeWord(argument.substring(2), rest);
            } else if (argument.startsWith("-") && argument.length() > 1) {
                takeLetters(argument.substring(1), rest);
            } else {
                operands.add(argument);
            }
        }
    }

    boolean has(Option option) {
        return values.containsKey(option);
    }

    String text(Option option) {
        return values.get(option);
    }

    int number(Option option, int otherwise, int least, int most) {
        String text = values.get(option);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.decode(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // The message below fits as well.
        }
        throw new UsageException(option + " is \"" + text + "\", and must be a number from " + least + " to " + most);
    }

    List<String> operands() {
        return List.copyOf(operands);
    }

    private void takeWord(String text, Iterator<String> rest) {
        int equals = text.indexOf('=');
        Option option = Option.ofWord(equals < 0 ? text : text.substring(0, equals));
        if (equals >= 0 && !option.takesValue()) {
            throw new UsageException(option + " takes no value");
        }
        if (equals >= 0) {
            values.put(option, text.substring(equals + 1));
        } else {
            values.put(option, option.takesValue() ? next(option, rest) : "");
        }
    }

    private void takeLetters(String letters, Iterator<String> rest) {
        for (int i = 0; i < letters.length(); i++) {
            Option option = Option.ofLetter(letters.charAt(i));
            if (option.takesValue()) {
                String attached = letters.substring(i + 1);
                values.put(option, attached.isEmpty() ? next(option, rest) : attached);
                return;
            }
            values.put(option, "");
        }
    }

    private static String next(Option option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new UsageException(option + " needs a value");
        }
        return rest.next();
    }
}
