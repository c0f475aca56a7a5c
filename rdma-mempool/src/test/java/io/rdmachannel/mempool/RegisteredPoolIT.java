// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.WorkCompletionStatus;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("rdma")
@Timeout(120)
class RegisteredPoolIT {
    private static final Set<AccessFlag> WRITABLE = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    private static final Set<AccessFlag> READABLE = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);

    private DeviceContext context;
    private ProtectionDomain domain;
    private long regionsBefore;

    @BeforeEach
    void open() throws Exception {
        context = LabDevice.find().open();
        domain = context.allocateProtectionDomain();
        regionsBefore = LabDevice.regionsInKernel();
    }

    @AfterEach
    void shouldHaveNoRegionLeft() throws Exception {
        if (context != null) {
            assertThat(LabDevice.regionsInKernel()).isEqualTo(regionsBefore);
            context.close();
        }
    }

    @Test
    void shouldRegisterEachSlabOnceInEachDomain() throws Exception {
        ProtectionDomain second = context.allocateProtectionDomain();
        PoolConfig config = Pools.small()
                .slabBytes(2 * Pools.UNIT)
                .registerWith(Registrar.of(domain, WRITABLE))
                .registerWith(Registrar.of(second, READABLE))
                .growthBytes(2 * Pools.UNIT)
                .maxBytes(6 * Pools.UNIT)
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            assertThat(LabDevice.regionsInKernel() - regionsBefore).isEqualTo(4);
            List<Lease> all = Pools.takeAll(pool, 4096);
            assertThat(LabDevice.regionsInKernel() - regionsBefore).isEqualTo(6);
            Lease lease = all.getFirst();
            assertThat(lease.localKey()).isNotZero().isNotEqualTo(lease.localKey(1));
            assertThat(lease.remoteKey(1)).isNotZero();
            all.forEach(Lease::release);
            assertThat(pool.shrink()).isEqualTo(2 * Pools.UNIT);
            assertThat(LabDevice.regionsInKernel() - regionsBefore).isEqualTo(4);
            assertThat(pool.stats().registrationNanos()).isPositive();
        }
        second.close();
    }

    @Test
    void shouldMoveHeadroomAndPayloadWithOneElement() {
        PoolConfig config = Pools.small()
                .headroomBytes(24)
                .registerWith(Registrar.of(domain, WRITABLE))
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease source = pool.acquire(1000);
            Lease target = pool.acquire(1000);
            source.headroom().fill((byte) 3);
            source.segment().fill((byte) 4);
            assertThat(write(source, target.headroomAddress(), target.remoteKey()))
                    .isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(target.headroom().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 3);
            assertThat(target.segment().get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 4);
            source.release();
            target.release();
        }
    }

    @Test
    void shouldRefuseAWriteThroughAReadOnlyKey() {
        PoolConfig config = Pools.small()
                .headroomBytes(24)
                .registerWith(Registrar.of(domain, WRITABLE))
                .registerWith(Registrar.of(domain, READABLE))
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease source = pool.acquire(1000);
            Lease target = pool.acquire(1000);
            target.segment().fill((byte) 9);
            assertThat(write(source, target.headroomAddress(), target.remoteKey(1)))
                    .isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
            assertThat(target.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 9);
            source.release();
            target.release();
        }
    }

    @Test
    void shouldKeepTheRegistrationWhileALeaseIsOut() throws Exception {
        PoolConfig config =
                Pools.small().registerWith(Registrar.of(domain, WRITABLE)).build();
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(config);
        Lease lease = pool.acquire(100);
        assertThatThrownBy(pool::close).isInstanceOf(PoolInUseException.class);
        assertThat(LabDevice.regionsInKernel() - regionsBefore).isEqualTo(1);
        lease.release();
        pool.close();
    }

    @Test
    void shouldRegisterUsersMemoryOnceForAllItsParts() throws Exception {
        try (RegistrationCache cache = new RegistrationCache(Registrar.of(domain, WRITABLE), 8, 1 << 20);
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100_000, 4096);
            cache.register(memory).close();
            for (int i = 0; i < 100; i++) {
                try (RegisteredMemory part = cache.register(memory.asSlice(i * 1000, 1000))) {
                    assertThat(part.localKey()).isNotZero();
                }
            }
            assertThat(LabDevice.regionsInKernel() - regionsBefore).isEqualTo(1);
            cache.forget(memory);
            assertThat(LabDevice.regionsInKernel() - regionsBefore).isZero();
        }
    }

    @Test
    void shouldRegisterUsersMemoryWithAllDomainsOfThePool() throws Exception {
        ProtectionDomain second = context.allocateProtectionDomain();
        PoolConfig config = Pools.small()
                .registerWith(Registrar.of(domain, WRITABLE))
                .registerWith(Registrar.of(second, READABLE))
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config);
                Arena arena = Arena.ofShared()) {
            RegisteredMemory memory = pool.register(arena.allocate(10_000, 4096));
            assertThat(LabDevice.regionsInKernel() - regionsBefore).isEqualTo(4);
            Lease source = pool.acquire(10_000);
            source.segment().fill((byte) 5);
            assertThat(write(source, memory.address(), memory.remoteKey())).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, 9_999)).isEqualTo((byte) 5);
            assertThat(write(source, memory.address(), memory.remoteKey(1)))
                    .isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
            source.release();
            assertThatThrownBy(pool::close).isInstanceOf(PoolInUseException.class);
            memory.close();
        }
        second.close();
    }

    private WorkCompletionStatus write(Lease source, long remoteAddress, int remoteKey) {
        LoopbackPair pair = new LoopbackPair(context, domain);
        SendWorkRequests requests = SendWorkRequests.allocate(1, 1, 0);
        requests.begin(0, WorkRequestOpcode.RDMA_WRITE, 1, true)
                .add(0, source.headroomAddress(), source.headroom().byteSize() + source.length(), source.localKey())
                .remote(0, remoteAddress, remoteKey);
        return pair.execute(requests);
    }
}
