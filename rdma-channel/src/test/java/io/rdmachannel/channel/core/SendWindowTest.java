// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.MemorySource;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SendWindowTest {
    private final RegisteredMemoryPool pool = RegisteredMemoryPool.create(PoolConfig.builder()
            .source(MemorySource.ARENA)
            .initialBytes(1 << 20)
            .build());
    private final SendWindow window = new SendWindow(4, Completion.NONE);
    private final List<String> told = new ArrayList<>();
    private final Completion completion = (token, outcome) -> told.add(token + " " + outcome);

    @AfterEach
    void shouldGiveAllBuffersBack() {
        window.cancel(null);
        pool.close();
    }

    @Test
    void shouldTellWhenThePeerHasHandledAndReleaseWhenThePostHasEnded() {
        Lease first = add(10);
        Lease second = add(11);
        window.acknowledge(1, null);
        assertThat(told).containsExactly("1 SUCCESS");
        assertThat(first.referenceCount()).isEqualTo(1);
        window.release(10);
        assertThat(first.referenceCount()).isZero();
        window.release(11);
        assertThat(second.referenceCount()).isEqualTo(1);
        window.acknowledge(2, null);
        assertThat(window.isAcknowledged()).isTrue();
        assertThat(window.isEmpty()).isFalse();
        window.release(11);
        assertThat(window.isEmpty()).isTrue();
    }

    @Test
    void shouldHoldNoMoreThanItsCapacity() {
        for (int i = 0; i < 4; i++) {
            assertThat(window.hasRoom()).isTrue();
            assertThat(window.nextSequence()).isEqualTo(i + 1);
            add(i + 1);
        }
        assertThat(window.hasRoom()).isFalse();
        window.acknowledge(1, null);
        assertThat(window.hasRoom()).isFalse();
        window.release(1);
        assertThat(window.hasRoom()).isTrue();
    }

    @Test
    void shouldNotBelieveAcknowledgementsOfWhatWasNotSent() {
        add(1);
        assertThatThrownBy(() -> window.acknowledge(2, null)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> window.acknowledge(-1, null)).isInstanceOf(ProtocolException.class);
        window.acknowledge(1, null);
        window.acknowledge(0, null);
        assertThat(told).containsExactly("1 SUCCESS");
    }

    @Test
    void shouldCancelWhatWasNotAcknowledged() {
        add(1);
        add(2);
        window.acknowledge(1, null);
        window.cancel(null);
        assertThat(told).containsExactly("1 SUCCESS", "2 " + Outcome.CANCELLED);
    }

    private Lease add(long post) {
        Lease lease = pool.acquire(100);
        window.add(lease, post, window.nextSequence(), completion);
        return lease;
    }
}
