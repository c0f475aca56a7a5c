// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.core.CommonReceives;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import io.rdmachannel.mempool.Registrar;
import io.rdmachannel.testing.LoopbackTest;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.SharedReceiveQueueConfig;
import io.rdmachannel.verbs.ThreadSharing;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue of 16 receives, of which the test says which ones come back: slots are used in order, 32 of them. */
@LoopbackTest
class LoopbackSharedReceiveRingTest {
    private static final int DEPTH = 16;

    private DeviceContext device;
    private RegisteredMemoryPool pool;
    private SharedReceiveRing ring;
    private CommonReceives common;
    private int queued;

    @BeforeEach
    void fillTheQueue() {
        device = Device.list().getFirst().open();
        ProtectionDomain domain = device.allocateProtectionDomain();
        pool = RegisteredMemoryPool.create(PoolConfig.builder()
                .name("shared")
                .initialBytes(1 << 20)
                .maxBytes(1 << 20)
                .headroomBytes(FrameHeader.BYTES)
                .registerWith(Registrar.of(domain, Set.of(AccessFlag.LOCAL_WRITE)))
                .build());
        // Nothing is really used here, so the queue must have room for all that is ever posted.
        ring = new SharedReceiveRing(
                domain.createSharedReceiveQueue(new SharedReceiveQueueConfig(4 * DEPTH, 1, ThreadSharing.CONFINED)),
                DEPTH);
        common = new CommonReceives(new SharedReceives(2, DEPTH, 512), pool, this::supply);
        ring.account(common);
        common.fill(this::supply);
        assertThat(ring.submit()).isEqualTo(PostResult.POSTED);
    }

    private void supply(Lease lease) {
        queued++;
        ring.supply(lease);
    }

    /** A pool with a buffer out, and a claim with one missing, would not close. */
    @AfterEach
    void shouldHaveAllBuffersBack() {
        ring.close();
        common.close();
        pool.close();
        device.close();
    }

    @Test
    void shouldReplaceAReceiveThatStaysOutWhileAWholeQueueOfLaterOnesComesBack() {
        long before = buffers();
        for (int slot = 1; slot < DEPTH; slot++) {
            comeBack(slot);
        }
        assertThat(buffers()).as("a queue's length is not over").isEqualTo(before);
        comeBack(DEPTH);
        assertThat(buffers()).as("one takes the place of the first").isEqualTo(before + 1);
        for (int slot = DEPTH + 1; slot < 2 * DEPTH; slot++) {
            comeBack(slot);
        }
        assertThat(buffers()).as("it is replaced once").isEqualTo(before + 1);
    }

    @Test
    void shouldTakeAReplacedReceiveBackWhenItComesAfterAll() {
        for (int slot = 1; slot <= DEPTH; slot++) {
            comeBack(slot);
        }
        int before = queued;
        comeBack(0);
        assertThat(queued).as("the queue holds what it held").isEqualTo(before);
    }

    /** Those that the pool counts as used, which those of the claim are. */
    private long buffers() {
        return pool.stats().inUse();
    }

    /** The receive of a slot comes back, and is supplied again. */
    private void comeBack(int slot) {
        Lease lease = ring.take(slot);
        assertThat(lease).as("slot %d", slot).isNotNull();
        common.recycle(lease);
        assertThat(ring.submit()).isEqualTo(PostResult.POSTED);
    }
}
