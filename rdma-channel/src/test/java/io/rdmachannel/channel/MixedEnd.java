// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One end of a random mix of all operations, with everything checked: messages by number and checksum, one-sided
 * operations against a model of the peer's region, of which each end writes to a part of its own.
 */
final class MixedEnd extends Recorder {
    static final long REGION_BYTES = 1 << 20;
    private static final int OUTSTANDING_MAX = 12;

    final MemorySegment region = Arena.ofShared().allocate(REGION_BYTES, 4096);
    private final SplittableRandom random;
    private final ArrayDeque<Runnable> checks = new ArrayDeque<>();
    private final byte[] model = new byte[(int) REGION_BYTES];
    private final MemorySegment memory = Arena.ofShared().allocate(300_000);
    private RdmaChannel channel;
    private RemoteRegion remote;
    private long counter;
    private long received;
    private long sent;
    private long started;
    private long ended;

    MixedEnd(long seed) {
        this.random = new SplittableRandom(seed);
    }

    void begin(RdmaChannel opened) {
        channel = opened;
        opened.expose("mix", region, Set.of(RegionRight.values()));
    }

    boolean isReady() {
        remote = channel.remoteRegion("mix").orElse(null);
        return remote != null;
    }

    long operations() {
        return sent + ended;
    }

    boolean isIdle() {
        return started == ended;
    }

    long sent() {
        return sent;
    }

    long received() {
        return received;
    }

    /** Does something, if there is room for it. */
    void step() {
        if (started - ended >= OUTSTANDING_MAX) {
            return;
        }
        switch (random.nextInt(10)) {
            case 0, 1 -> write(false);
            case 2 -> write(true);
            case 3, 4 -> read();
            case 5 -> add();
            default -> send();
        }
    }

    @Override
    public void onMessage(RdmaChannel of, MemorySegment buffer, long offset, long length) {
        long number = buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        long sum = buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8);
        assertThat(number).isEqualTo(received);
        assertThat(Contents.checksum(buffer, offset + 16, length - 16)).isEqualTo(sum);
        received++;
    }

    @Override
    public void onCompletion(RdmaChannel of, long token, Outcome outcome) {
        assertThat(outcome).isEqualTo(Outcome.SUCCESS);
        assertThat(token).isEqualTo(ended);
        ended++;
        checks.remove().run();
    }

    private void send() {
        int length = 16 + (random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(4_000));
        memory.set(ValueLayout.JAVA_LONG, 16 + random.nextInt(1000) * 8L, random.nextLong());
        memory.set(ValueLayout.JAVA_LONG, 0, sent);
        memory.set(ValueLayout.JAVA_LONG, 8, Contents.checksum(memory, 16, length - 16L));
        sent += channel.send(memory, 0, length).isAccepted() ? 1 : 0;
    }

    private void write(boolean told) {
        int length = random.nextInt(random.nextInt(10) == 0 ? 100_000 : 2_000);
        int at = 64 + random.nextInt((int) REGION_BYTES - 64 - length);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        Lease source = channel.acquire(length);
        if (source == null) {
            return;
        }
        MemorySegment.copy(bytes, 0, source.segment(), ValueLayout.JAVA_BYTE, 0, length);
        Submission answer = told
                ? channel.writeWithImmediate(source, 0, remote, at, length, length, started)
                : channel.write(source, 0, remote, at, length, started);
        if (answer.isAccepted()) {
            System.arraycopy(bytes, 0, model, at, length);
            begun(() -> {});
        }
        source.release();
    }

    private void read() {
        int length = random.nextInt(random.nextInt(10) == 0 ? 100_000 : 2_000);
        int at = 64 + random.nextInt((int) REGION_BYTES - 64 - length);
        Lease target = channel.acquire(length);
        if (target == null) {
            return;
        }
        if (channel.read(remote, at, target, 0, length, started).isAccepted()) {
            byte[] expected = Arrays.copyOfRange(model, at, at + length);
            begun(() -> {
                assertThat(target.segment().asSlice(0, length).mismatch(MemorySegment.ofArray(expected)))
                        .isEqualTo(-1);
                target.release();
            });
        } else {
            target.release();
        }
    }

    private void add() {
        Lease result = channel.acquire(8);
        long addend = random.nextInt(100);
        if (result != null
                && channel.fetchAndAdd(remote, 0, addend, result, started).isAccepted()) {
            long before = counter;
            counter += addend;
            begun(() -> {
                assertThat(result.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(before);
                result.release();
            });
        } else if (result != null) {
            result.release();
        }
    }

    private void begun(Runnable check) {
        started++;
        checks.add(check);
    }
}
