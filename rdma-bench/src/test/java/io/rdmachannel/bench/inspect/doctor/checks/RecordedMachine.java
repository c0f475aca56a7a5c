// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Peer;
import io.rdmachannel.bench.inspect.doctor.Request;
import io.rdmachannel.bench.inspect.system.CommandResult;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A machine whose files were recorded (see the .tree files), to be broken by tests. */
final class RecordedMachine {
    private final Path root;
    private final Map<String, CommandResult> commands = new HashMap<>();
    private final Set<Path> denied = new HashSet<>();
    private final FakeLibrary library;
    private Request request = Request.none();

    private RecordedMachine(Path root, FakeLibrary library) {
        this.root = root;
        this.library = library;
    }

    /** Soft-RoCE, as in the lab, with everything in order. */
    static RecordedMachine softRoce(Path root) {
        return new RecordedMachine(root, FakeLibrary.softRoce()).unpack("rxe.tree");
    }

    /** Two adapters of mlx5, one on Ethernet and one on InfiniBand, on two NUMA nodes. */
    static RecordedMachine connectX(Path root) {
        return new RecordedMachine(root, FakeLibrary.connectX()).unpack("connectx.tree");
    }

    /** Without any RDMA, nor anything else. */
    static RecordedMachine empty(Path root) {
        return new RecordedMachine(root, new FakeLibrary());
    }

    FakeLibrary library() {
        return library;
    }

    RecordedMachine write(String path, String text) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text + "\n");
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Removes a file, or a directory with all that is in it. */
    RecordedMachine remove(String path) {
        try (Stream<Path> files = Files.walk(root.resolve(path.substring(1)))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Takes the permission for a file away. */
    RecordedMachine deny(String path) {
        denied.add(root.resolve(path.substring(1)));
        return this;
    }

    /** Says what a command leaves; others are not there. */
    RecordedMachine command(String command, int status, String output) {
        commands.put(command, new CommandResult(status, output));
        return this;
    }

    RecordedMachine from(String address) {
        request = new Request(Optional.of(address(address)), request.peer());
        return this;
    }

    RecordedMachine to(String peer) {
        request = new Request(request.address(), Optional.of(Peer.parse(peer)));
        return this;
    }

    Finding run(Check check) {
        try {
            return check.run(environment());
        } catch (Exception failure) {
            throw new AssertionError(check.name() + " failed", failure);
        }
    }

    Environment environment() {
        SystemTree files = new SystemTree(root, file -> Files.exists(file) && !denied.contains(file));
        return new Environment(files, this::result, library, request);
    }

    static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private CommandResult result(String... command) {
        CommandResult missing = new CommandResult(CommandResult.NOT_RUN, command[0] + " is not there");
        return commands.getOrDefault(String.join(" ", command), missing);
    }

    private RecordedMachine unpack(String name) {
        String path = null;
        List<String> text = new ArrayList<>();
        for (String line : lines(name)) {
            if (line.startsWith("@ ")) {
                finish(path, text);
                path = line.substring(2);
                text.clear();
            } else {
                text.add(line);
            }
        }
        finish(path, text);
        return this;
    }

    private void finish(String path, List<String> text) {
        if (path != null && path.contains(" -> ")) {
            link(path.split(" -> ")[0], path.split(" -> ")[1]);
        } else if (path != null) {
            write(path, String.join("\n", text));
        }
    }

    private void link(String path, String target) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.createSymbolicLink(file, Path.of(target));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> lines(String name) {
        try (InputStream stream = RecordedMachine.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
