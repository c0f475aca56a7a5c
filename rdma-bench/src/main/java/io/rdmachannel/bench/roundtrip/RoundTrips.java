// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long is a round trip of 64 bytes over the tcp transport, beside plain NIO and Netty? Runs them in turns, the
 * server in a process of its own or, with {@code here}, in another thread, and prints the median of the medians and
 * the ratios. Needs two processors that nobody else uses.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp benchmarks.jar io.rdmachannel.bench.roundtrip.RoundTrips</pre>
 */
public final class RoundTrips {
    private static final int ROUNDS = 7;
    private static final RoundTripPlan PLAN = new RoundTripPlan(64, 40_000, 100_000);

    private RoundTrips() {}

    /**
     * Measures, or serves.
     *
     * @param arguments nothing, {@code here}, or {@code serve} and a contestant
     * @throws Exception if it fails
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 2 && arguments[0].equals("serve")) {
            serve(Contestant.valueOf(arguments[1]));
        } else {
            compare(arguments.length == 1 && arguments[0].equals("here"));
        }
    }

    private static void serve(Contestant contestant) throws Exception {
        EchoServer server = contestant.server();
        System.out.println("port " + server.bind());
        server.serve();
    }

    private static void compare(boolean here) throws Exception {
        Map<Contestant, double[]> medians = new EnumMap<>(Contestant.class);
        for (Contestant contestant : Contestant.values()) {
            medians.put(contestant, new double[ROUNDS]);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Contestant contestant : Contestant.values()) {
                Histogram histogram = here ? inOneProcess(contestant) : inTwoProcesses(contestant);
                medians.get(contestant)[round] = histogram.getValueAtPercentile(50) / 1e3;
            }
        }
        System.out.printf(
                "round trip of %d bytes over TCP, %s, median of %d medians of %d%n",
                PLAN.bytes(), here ? "one process" : "two processes", ROUNDS, PLAN.counted());
        double channel = middle(medians.get(Contestant.CHANNEL));
        for (Contestant contestant : Contestant.values()) {
            double[] all = medians.get(contestant);
            double middle = middle(all);
            System.out.printf(
                    "%-8s %6.2f us (%.2f to %.2f); channel is %.2f x%n",
                    contestant, middle, all[0], all[ROUNDS - 1], channel / middle);
        }
    }

    /** Sorts them, too. */
    private static double middle(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static Histogram inOneProcess(Contestant contestant) throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        Thread server = Thread.ofPlatform().start(() -> {
            try {
                EchoServer echo = contestant.server();
                port.complete(echo.bind());
                echo.serve();
            } catch (Exception failed) {
                port.completeExceptionally(failed);
            }
        });
        Histogram histogram = contestant.client().run(port.get(), PLAN);
        server.join();
        return histogram;
    }

    private static Histogram inTwoProcesses(Contestant contestant) throws Exception {
        String java = ProcessHandle.current().info().command().orElseThrow();
        List<String> command = List.of(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                RoundTrips.class.getName(),
                "serve",
                contestant.name());
        Process server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = server.inputReader()) {
            String line = out.readLine();
            if (line == null || !line.startsWith("port ")) {
                throw new IOException("the server of " + contestant + " has not begun: " + line);
            }
            Histogram histogram = contestant.client().run(Integer.parseInt(line.substring(5)), PLAN);
            server.waitFor(10, TimeUnit.SECONDS);
            return histogram;
        } finally {
            server.destroyForcibly();
        }
    }
}
