// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.examples.support.ExampleException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Runs clients beside each other, each in a thread with a poller of its own. */
final class OrderClients {
    private OrderClients() {}

    static OrderReport run(
            InetSocketAddress gateway,
            Supplier<ChannelConfigBuilder> configs,
            CompletionMode mode,
            OrderRun run,
            int clients)
            throws InterruptedException {
        List<Future<OrderReport>> reports = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (int client = 1; client <= clients; client++) {
                int number = client;
                reports.add(threads.submit(() -> runOne(gateway, configs.get(), mode, run, number)));
            }
            OrderReport all = null;
            for (Future<OrderReport> report : reports) {
                all = all == null ? report.get() : all.and(report.get());
            }
            return all;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new ExampleException("a client failed: " + failed.getCause());
        }
    }

    private static OrderReport runOne(
            InetSocketAddress gateway, ChannelConfigBuilder config, CompletionMode mode, OrderRun run, int number)
            throws InterruptedException {
        // A poller belongs to the thread that made it.
        try (Poller poller = Poller.create(PollerConfig.of("client-" + number).withMode(mode))) {
            return OrderClient.connectAndRun(gateway, config.poller(poller).build(), number, run);
        }
    }
}
