// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.examples.support.Arguments;
import io.rdmachannel.examples.support.Program;
import io.rdmachannel.examples.support.UsageException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The program: {@code leader} or {@code follower}. Its exit status is 0, 1 for a failed run, 2 for a wrong command
 * line.
 */
public final class ReplicatedLog {
    private static final int PORT = 7482;
    private static final int FOLLOWERS = 2;
    private static final int RING_MAX = 1 << 30;
    private static final int RECORD_MAX = 1 << 20;
    private static final Set<String> OPTIONS =
            Set.of("transport", "mode", "limit", "address", "port", "ring", "records", "bytes", "window");
    private static final String USAGE = """
            replicated-log follower [option...]                       apply a leader's records
            replicated-log leader [option...] HOST[:PORT] HOST[:PORT] append records to two followers
              --transport rdma|tcp|auto   how the bytes travel (auto)
              --mode busy_poll|event|adaptive  what a waiting side does (adaptive)
              --limit SECONDS             for each wait (60)
              follower: --address ADDRESS to listen at (0.0.0.0)
                        --port PORT       to listen at, 0 for any free one (7482)
                        --ring BYTES      memory for records, a multiple of 8 (1048576)
              leader:   --records NUMBER  to append (100000)
                        --bytes NUMBER    of each record (256)
                        --window NUMBER   records that may be uncommitted (64)""";

    private ReplicatedLog() {}

    /**
     * Runs one side and ends the process.
     *
     * @param arguments the side and its options
     */
    public static void main(String[] arguments) {
        System.exit(Program.launch(ReplicatedLog::run, USAGE, arguments));
    }

    private static void run(PrintStream out, String... arguments) throws InterruptedException {
        String role = arguments.length == 0 ? "" : arguments[0];
        Arguments given = Arguments.parse(
                OPTIONS, Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length));
        switch (role) {
            case "follower" -> follow(out, given);
            case "leader" -> lead(out, given);
            default -> throw new UsageException("begin with \"leader\" or \"follower\"");
        }
    }

    private static void follow(PrintStream out, Arguments given) throws InterruptedException {
        int ringBytes = given.number("ring", 1 << 20, 64, RING_MAX) / Long.BYTES * Long.BYTES;
        Duration limit = given.seconds("limit", 60);
        ChannelConfigBuilder config = given.channelConfig(limit);
        try (Follower follower = Follower.open(given.listenAddress(PORT), config, given.mode(), ringBytes)) {
            out.println("listening on port " + follower.address().getPort());
            follower.follow(limit);
            print(out, "applied", follower.state());
        }
    }

    private static void lead(PrintStream out, Arguments given) throws InterruptedException {
        List<InetSocketAddress> followers = given.operands().stream()
                .map(operand -> Arguments.address(operand, PORT))
                .toList();
        if (followers.size() != FOLLOWERS) {
            throw new UsageException("name two followers: HOST:PORT HOST:PORT");
        }
        PollerConfig polling = PollerConfig.of("leader").withMode(given.mode());
        try (Poller poller = Poller.create(polling)) {
            Duration limit = given.seconds("limit", 60);
            ChannelConfig config = given.channelConfig(limit).poller(poller).build();
            try (Leader leader = Leader.connect(poller, followers, config, limit)) {
                AppendLoad load = new AppendLoad(
                        leader,
                        given.number("records", 100_000, 1, Integer.MAX_VALUE),
                        given.number("bytes", 256, 0, RECORD_MAX),
                        given.number("window", 64, 1, 1 << 15));
                load.run();
                leader.awaitApplied(load.records());
                out.println(load.summary());
                print(out, "appended", leader.state());
                out.println("followers alive: " + leader.followersAlive());
            }
        }
    }

    private static void print(PrintStream out, String done, StateMachine state) {
        out.println(String.format(Locale.ROOT, "%s %d records, digest %016x", done, state.applied(), state.digest()));
    }
}
