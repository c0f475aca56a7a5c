// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.Shell;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GidEntry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** The two programs of an interoperation test: one of ours in this process, and one of rdma-core's beside it. */
final class Peers {
    /** What an emulated and busy machine may need for a whole program. */
    private static final int LIMIT_SECONDS = 90;

    private static final String LISTENING = "LISTEN";

    private Peers() {}

    /** An IPv4 address of the device. */
    static String ipv4() {
        return address(entry -> entry.gid().isIpv4Mapped());
    }

    /** A routable IPv6 address of the device; skips the test when it has none. */
    static String ipv6() {
        return address(entry -> !entry.gid().isIpv4Mapped() && !entry.gid().isLinkLocal());
    }

    /** Runs a program of rdma-core to its end in another thread; it is killed when it takes too long. */
    static CompletableFuture<Shell.Result> start(String... command) {
        String[] limited = new String[command.length + 3];
        limited[0] = "timeout";
        limited[1] = "-k1";
        limited[2] = String.valueOf(LIMIT_SECONDS);
        System.arraycopy(command, 0, limited, 3, command.length);
        return run(command[0], () -> Shell.tryRun(limited));
    }

    /** Runs a program in another thread. */
    static <T> CompletableFuture<T> run(String name, Supplier<T> program) {
        CompletableFuture<T> status = new CompletableFuture<>();
        Thread.ofPlatform().name(name).daemon().start(() -> {
            try {
                status.complete(program.get());
            } catch (RuntimeException | Error failure) {
                status.completeExceptionally(failure);
            }
        });
        return status;
    }

    /** Waits until somebody listens on a port of the connection manager. */
    static void awaitListener(int port) {
        Deadline.in(LIMIT_SECONDS, TimeUnit.SECONDS).await("a listener on port " + port, () -> isListening(port));
    }

    /** Waits for the end of a program. */
    static <T> T end(CompletableFuture<T> program) {
        try {
            return program.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        } catch (ExecutionException failed) {
            throw new AssertionError("the program threw", failed.getCause());
        } catch (TimeoutException late) {
            throw new AssertionError("the program did not end in " + LIMIT_SECONDS + " s", late);
        }
    }

    private static boolean isListening(int port) {
        return Shell.run("rdma", "resource", "show", "cm_id")
                .lines()
                .anyMatch(line -> line.contains(LISTENING) && line.contains(":" + port + " "));
    }

    private static String address(Predicate<GidEntry> wanted) {
        RdmaDevice device = RdmaDevice.find();
        try (DeviceContext context = device.open()) {
            return context.gidTable(device.port()).stream()
                    .filter(wanted)
                    .map(entry -> entry.gid().toInetAddress().getHostAddress())
                    .findFirst()
                    .orElseGet(() -> Assumptions.abort("skipped: the device has no such address"));
        }
    }
}
