// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.overhead;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks of this package, each beside its counterpart in C in the same run, and prints what Java costs
 * more. Arguments are those of JMH. The working directory is the top of a checkout.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp benchmarks.jar io.rdmachannel.bench.overhead.Overhead</pre>
 */
public final class Overhead {
    private Overhead() {}

    /**
     * Measures.
     *
     * @param arguments for JMH
     * @throws RunnerException if a benchmark fails
     * @throws CommandLineOptionException if JMH does not know an argument
     */
    public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(arguments))
                        .include(Overhead.class.getPackageName())
                        .shouldFailOnError(true)
                        .build())
                .run();
        Map<String, Map<String, Result<?>>> pairs = new TreeMap<>();
        for (RunResult result : results) {
            String[] parts = result.getParams().getBenchmark().split("\\.");
            String window = result.getParams().getParam("window");
            String name = parts[parts.length - 2] + (window == null ? "" : " window " + window);
            pairs.computeIfAbsent(name, any -> new TreeMap<>()).put(parts[parts.length - 1], result.getPrimaryResult());
        }
        pairs.forEach(Overhead::print);
    }

    private static void print(String name, Map<String, Result<?>> pair) {
        Result<?> inC = pair.get("c");
        pair.forEach((how, result) -> {
            if (result != inC) {
                System.out.printf(
                        "%s: %s %.1f +- %.1f ns, C %.1f +- %.1f ns: %.1f ns over C, %.2f x%n",
                        name,
                        how,
                        result.getScore(),
                        result.getScoreError(),
                        inC.getScore(),
                        inC.getScoreError(),
                        result.getScore() - inC.getScore(),
                        result.getScore() / inC.getScore());
            }
        });
    }
}
