// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.MemorySource;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.ArrayDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommonReceivesTest {
    private static final int CHANNELS = 4;
    private static final int SPARE = 16;

    private final RegisteredMemoryPool pool = RegisteredMemoryPool.create(PoolConfig.builder()
            .source(MemorySource.ARENA)
            .name("test")
            .initialBytes(1 << 20)
            .maxBytes(1 << 20)
            .headroomBytes(FrameHeader.BYTES)
            .build());
    private final ArrayDeque<Lease> queue = new ArrayDeque<>();
    private final CommonReceives common = new CommonReceives(
            new SharedReceives(CHANNELS, CHANNELS * SharedReceives.GUARANTEED + SPARE, 1024), pool, queue::add);

    CommonReceivesTest() {
        common.fill(queue::add);
    }

    @AfterEach
    void shouldHaveAllBuffersBack() {
        queue.forEach(Lease::release);
        common.close();
        pool.close();
    }

    @Test
    void shouldGiveABusyChannelMoreWhileTheOthersAreIdle() {
        ReceiveShare busy = share(128);
        ReceiveShare idle = share(128);
        assertThat(busy.credit()).isEqualTo(8);
        int promised = busy.credit();
        for (int i = 0; i < 100; i++) {
            promised += receive(busy) - 1;
        }
        assertThat(promised).isEqualTo(8 + SPARE * 3 / 4);
        assertThat(receive(idle)).isEqualTo(2);
        busy.close();
        idle.close();
    }

    @Test
    void shouldNeverPromiseMoreThanThereIs() {
        ReceiveShare[] shares = {share(64), share(64), share(64), share(64)};
        int promised = 4 * 8;
        for (int i = 0; i < 10_000; i++) {
            promised += receive(shares[i % 4 == 3 ? 3 : i % 2]) - 1;
            assertThat(promised).isLessThanOrEqualTo(CHANNELS * 8 + SPARE);
        }
        for (ReceiveShare share : shares) {
            share.close();
        }
    }

    @Test
    void shouldTakeBackWhatABusyChannelHoldsWhenOthersBecomeBusy() {
        ReceiveShare first = share(64);
        int atFirst = 8;
        for (int i = 0; i < 100; i++) {
            atFirst += receive(first) - 1;
        }
        ReceiveShare second = share(64);
        int atSecond = 8;
        for (int i = 0; i < 100; i++) {
            atFirst += receive(first) - 1;
            atSecond += receive(second) - 1;
        }
        assertThat(Math.abs(atFirst - atSecond)).isLessThanOrEqualTo(SPARE / 2);
        first.close();
        second.close();
    }

    @Test
    void shouldNotGrowBeyondWhatTheChannelWants() {
        ReceiveShare modest = share(10);
        int promised = 8;
        for (int i = 0; i < 100; i++) {
            promised += receive(modest) - 1;
        }
        assertThat(promised).isEqualTo(10);
        modest.close();
    }

    @Test
    void shouldRefuseMoreChannelsThanArePlanned() {
        for (int i = 0; i < CHANNELS; i++) {
            common.join();
        }
        assertThatThrownBy(() -> share(64))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("4 channels")
                .hasMessageContaining("raise its channels");
        common.leave();
        share(64).close();
    }

    @Test
    void shouldPutABufferBackThatAHandlerKeptWhenItIsReleased() {
        ReceiveShare share = share(64);
        Lease kept = queue.remove().retain();
        share.used(kept);
        share.lose(kept);
        assertThat(share.areMissing()).isTrue();
        assertThat(share.replaceOne(null)).isEqualTo(-1);
        kept.release();
        assertThat(share.replaceOne(null)).isPositive();
        assertThat(queue).hasSize(CHANNELS * 8 + SPARE);
        share.close();
    }

    @Test
    void shouldPutABufferBackThatAHandlerKeptLongerThanItsChannelLived() {
        ReceiveShare share = share(64);
        Lease kept = queue.remove().retain();
        share.used(kept);
        share.lose(kept);
        share.close();
        kept.release();
        ReceiveShare next = share(64);
        receive(next);
        assertThat(queue).hasSize(CHANNELS * 8 + SPARE);
        next.close();
    }

    @Test
    void shouldReplaceABufferThatTheDeviceKeepsAndTakeItWhenItComesAfterAll() {
        int all = queue.size();
        ReceiveShare share = share(64);
        Lease stray = queue.remove();
        common.strayed();
        assertThat(queue).hasSize(all);
        common.strayReturned();
        common.recycle(stray);
        assertThat(queue).hasSize(all);
        share.close();
    }

    private ReceiveShare share(int limit) {
        return new ReceiveShare(common, limit, () -> {});
    }

    private int receive(ReceiveShare share) {
        Lease lease = queue.remove();
        share.used(lease);
        return share.supply(lease, null);
    }

    @Test
    void shouldNotTakeFromOthersWhatCameBackBeforeTheQueueWasFilledAgain() {
        common.join();
        Lease kept = queue.remove();
        common.leave(SharedReceives.GUARANTEED, 1);
        kept.release();
        queue.forEach(Lease::release);
        queue.clear();
        common.emptied();
        common.fill(queue::add);

        queue.remove().release();
        common.recycle(queue.remove());
        Lease own = common.returned();
        assertThat(own).isNotNull();
        queue.add(own);
    }
}
