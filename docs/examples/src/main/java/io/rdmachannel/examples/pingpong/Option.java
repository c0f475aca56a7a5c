// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What the command line knows: the options of {@code ibv_rc_pingpong} that apply here, and a few of our own. */
enum Option {
    PORT('p', "port", "port", "listen on, or connect to, this TCP port (default 18515)"),
    DEVICE('d', "ib-dev", "name", "use this RDMA device (default the first one found)"),
    DEVICE_PORT('i', "ib-port", "port", "use this port of the device (default 1)"),
    SIZE('s', "size", "bytes", "size of a message (default 4096)"),
    MTU('m', "mtu", "bytes", "path MTU, the same on both sides (default 1024)"),
    RECEIVE_DEPTH('r', "rx-depth", "number", "receives posted at a time (default 500)"),
    ITERATIONS('n', "iters", "number", "exchanges, the same on both sides (default 1000)"),
    SERVICE_LEVEL('l', "sl", "level", "service level, 0 to 15 (default 0)"),
    EVENTS('e', "events", null, "sleep until completions are announced (default: poll)"),
    GID_INDEX('g', "gid-idx", "index", "local GID (default: the one that fits the TCP connection)"),
    CHECK('c', "chk", null, "fill messages with a pattern, and check every byte received"),
    TIMEOUT('t', "timeout", "exponent", "retransmit after 4.096 us * 2^exponent, 1 to 31 (default 14)"),
    LIMIT('L', "limit", "seconds", "longest wait for the other side (default 30)"),
    PATIENCE('w', "wait", "seconds", "as client, retry while the server refuses (default 0)"),
    WARM_UP('W', "warm-up", "number", "exchanges at the start left out of the latencies (default 0)"),
    HELP('h', "help", null, "print this");

    private final char letter;
    private final String word;
    private final String value;
    private final String help;

    Option(char letter, String word, String value, String help) {
        this.letter = letter;
        this.word = word;
        this.value = value;
        this.help = help;
    }

    static Option ofLetter(char letter) {
        return Arrays.stream(values())
                .filter(option -> option.letter == letter)
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown option -" + letter));
    }

    static Option ofWord(String word) {
        return Arrays.stream(values())
                .filter(option -> option.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown option --" + word));
    }

    static String usage() {
        return """
                Ping-pong over RDMA, with itself or with ibv_rc_pingpong.
                  ping-pong [option...]          wait for a client
                  ping-pong [option...] HOST     connect to the server at HOST
                Options:
                """ + Arrays.stream(values()).map(Option::usageLine).collect(Collectors.joining("\n"));
    }

    boolean takesValue() {
        return value != null;
    }

    @Override
    public String toString() {
        return "--" + word;
    }

    private String usageLine() {
        String form = "-" + letter + ", --" + word + (takesValue() ? "=<" + value + ">" : "");
        return "  %-28s %s".formatted(form, help);
    }
}
