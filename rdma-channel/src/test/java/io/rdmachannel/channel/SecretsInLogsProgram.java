// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.core.Hmac;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;

/**
 * What {@link SecretsInLogsTest} starts: handshakes that succeed and that fail, and a channel that ends by a forged
 * access, all of them told in full. Writes what must not be told into a file.
 */
final class SecretsInLogsProgram {
    private static final byte[] SECRET = Contents.bytes(77, 32);

    private final List<String> secrets = new ArrayList<>();

    private SecretsInLogsProgram() {}

    public static void main(String[] arguments) throws Exception {
        SecretsInLogsProgram program = new SecretsInLogsProgram();
        program.secret(SECRET);
        program.run();
        Files.write(Path.of(arguments[0]), program.secrets);
    }

    private void run() throws Exception {
        try (Poller poller = Poller.start(PollerConfig.of("server"));
                RdmaListener listener = RdmaListener.bind(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        config().poller(poller).sharedSecret(SECRET).build(),
                        Recorder::new);
                FrameRelay relay = new FrameRelay(listener.address(), frame -> List.of(frame.bytes()))) {
            failingHandshakes(listener.address());
            failingAccess(relay.address(), listener);
            collectFrom(relay);
        }
    }

    private static void failingHandshakes(InetSocketAddress address) throws InterruptedException {
        for (ChannelConfigBuilder config : List.of(config(), config().sharedSecret(new byte[16]))) {
            try {
                RdmaChannel.connect(address, config.build(), new Recorder());
            } catch (ChannelException refused) {
                refused.printStackTrace();
            }
        }
    }

    private void failingAccess(InetSocketAddress address, RdmaListener listener) throws Exception {
        Recorder recorder = new Recorder();
        ChannelConfig config = config().sharedSecret(SECRET).build();
        RdmaChannel client = RdmaChannel.connect(address, config, recorder);
        RdmaChannel server = listener.accept(Duration.ofSeconds(20));
        server.poller()
                .execute(() -> System.err.println(
                        server.expose("region", Arena.ofAuto().allocate(64, 8), Set.of(RegionRight.READ))));
        while (recorder.exposed.isEmpty()) {
            client.poll(Duration.ofMillis(10));
        }
        RemoteRegion region = recorder.exposed.getFirst();
        secret(region.key());
        RemoteRegion forged =
                new RemoteRegion("region", region.addressAt(0), 64, region.key(), Set.of(RegionRight.WRITE));
        Lease source = client.acquire(64);
        client.write(source, 0, forged, 0, 64, 1);
        while (!client.state().isOver()) {
            client.poll(Duration.ofMillis(10));
        }
        source.release();
        client.failure().orElseThrow().printStackTrace();
        tell(config, config.sharedSecret(), region, client, server);
        tell(new RegionNotice("region", 0, 64, region.key(), region.rights()));
        client.close();
        server.close();
    }

    private static void tell(Object... objects) {
        for (Object each : objects) {
            System.err.println(each);
        }
    }

    /** What somebody on the path has seen, and what follows from it and the secret. */
    private void collectFrom(FrameRelay relay) {
        byte[] welcome = relay.seen.stream()
                .filter(frame -> frame.type() == FrameRelay.WELCOME)
                .findFirst()
                .orElseThrow()
                .bytes();
        secret(fieldsOf(Arrays.copyOf(welcome, welcome.length - 32)).bytes(Fields.Tag.ATTACH_SECRET, 16));
        List<byte[]> nonces = relay.seen.stream()
                .filter(frame -> frame.type() == FrameRelay.CHALLENGE)
                .map(frame -> fieldsOf(frame.bytes()).bytes(Fields.Tag.NONCE, 32))
                .toList();
        for (String purpose : List.of(
                "proof of the connecting side",
                "proof of the accepting side",
                "frames of the connecting side",
                "frames of the accepting side",
                "second connection")) {
            Mac mac = Hmac.keyed(SECRET);
            mac.update(("rdma-channel 1 " + purpose + "\0").getBytes(StandardCharsets.US_ASCII));
            mac.update(nonces.getFirst());
            secret(mac.doFinal(nonces.getLast()));
        }
    }

    private static Fields fieldsOf(byte[] frame) {
        return Fields.decode(Arrays.copyOfRange(frame, 16, frame.length));
    }

    private void secret(byte[] bytes) {
        secrets.add(HexFormat.of().formatHex(bytes));
        secrets.add(HexFormat.ofDelimiter(":").formatHex(bytes));
        secrets.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
        secrets.add(Arrays.toString(bytes));
    }

    private void secret(int key) {
        secrets.add(Integer.toString(key));
        secrets.add(Integer.toUnsignedString(key));
        secrets.add(HexFormat.of().toHexDigits(key));
    }

    private static ChannelConfigBuilder config() {
        return ChannelConfig.builder().transport(Transport.TCP).receiveDepth(16);
    }
}
