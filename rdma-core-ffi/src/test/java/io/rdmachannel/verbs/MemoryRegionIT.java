// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.RdmaTest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RdmaTest
class MemoryRegionIT {
    private static final Set<AccessFlag> LOCAL = Set.of(AccessFlag.LOCAL_WRITE);

    private DeviceContext context;
    private ProtectionDomain domain;

    @BeforeEach
    void open() {
        context = RdmaDevice.find().open();
        domain = context.allocateProtectionDomain();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void shouldDescribeTheMemoryThatWasRegistered() {
        MemorySegment memory = Arena.ofAuto().allocate(12_345, 64);

        MemoryRegion region = domain.registerMemory(memory, LOCAL);

        assertThat(region.length()).isEqualTo(12_345);
        assertThat(region.address()).isEqualTo(memory.address());
        assertThat(region.memory()).isSameAs(memory);
        assertThat(region.access()).isEqualTo(LOCAL);
        assertThat(region.protectionDomain()).isSameAs(domain);
        assertThat(region.toString()).contains("12345 bytes");
    }

    @Test
    void shouldGiveEachRegionKeysOfItsOwn() {
        Set<AccessFlag> remote = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        MemorySegment memory = Arena.ofAuto().allocate(4096);
        Set<Integer> keys = new HashSet<>();

        for (int i = 0; i < 8; i++) {
            MemoryRegion region = domain.registerMemory(memory, remote);
            assertThat(region.remoteKey()).isNotZero();
            keys.add(region.localKey());
        }

        assertThat(keys).hasSize(8);
    }

    @Test
    void shouldRegisterOneByteAndSixtyFourMegabytes() {
        for (long length : new long[] {1, 4095, 4097, 64L << 20}) {
            MemorySegment memory = Arena.ofAuto().allocate(length);
            try (MemoryRegion region = domain.registerMemory(memory, LOCAL)) {
                assertThat(region.length()).isEqualTo(length);
            }
        }
    }

    @Test
    void shouldRegisterForReadingOnly() {
        MemoryRegion region = domain.registerMemory(Arena.ofAuto().allocate(64), Set.of());

        assertThat(region.access()).isEmpty();
    }

    @Test
    void shouldIgnoreRelaxedOrderingWhereTheDeviceHasNone() {
        MemoryRegion region = domain.registerMemory(
                Arena.ofAuto().allocate(64), Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING));

        assertThat(region.localKey()).isNotZero();
    }

    @Test
    void shouldRefuseMemoryThatCannotBeRegistered() {
        MemorySegment memory = Arena.ofAuto().allocate(64);

        assertRefused(MemorySegment.ofArray(new byte[64]), "heap");
        assertRefused(memory.asSlice(0, 0), "0 bytes");
        assertRefused(memory.asReadOnly(), "read-only");
    }

    @Test
    void shouldRefuseRightsThatContradictEachOther() {
        MemorySegment memory = Arena.ofAuto().allocate(64);

        for (AccessFlag flag : new AccessFlag[] {AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC}) {
            assertThatThrownBy(() -> domain.registerMemory(memory, Set.of(flag)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("LOCAL_WRITE");
        }
    }

    @Test
    void shouldExplainThatTheDeviceLacksOnDemandPaging() {
        MemorySegment memory = Arena.ofAuto().allocate(64);

        assertThatThrownBy(() -> domain.registerMemory(memory, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ibv_reg_mr")
                .hasMessageContaining("ON_DEMAND");
    }

    @Test
    void shouldRefuseMemoryOfAClosedArena() {
        Arena arena = Arena.ofConfined();
        MemorySegment memory = arena.allocate(64);
        arena.close();

        assertThatThrownBy(() -> domain.registerMemory(memory, LOCAL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    @SuppressWarnings("restricted")
    void shouldExplainThatAnAddressIsNotMapped() {
        MemorySegment nowhere = MemorySegment.ofAddress(0x10_0000).reinterpret(4096);

        assertThatThrownBy(() -> domain.registerMemory(nowhere, LOCAL))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EFAULT");
    }

    @Test
    @SuppressWarnings("restricted")
    void shouldRefuseALengthThatWrapsAroundTheAddressSpace() {
        MemorySegment all = MemorySegment.ofAddress(0x10_0000).reinterpret(Long.MAX_VALUE);

        assertThatThrownBy(() -> domain.registerMemory(all, LOCAL)).isInstanceOf(VerbsException.class);
    }

    @Test
    void shouldRegisterAMappedFile(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("data"), new byte[8192]);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, arena);
            try (MemoryRegion region = domain.registerMemory(mapped, LOCAL)) {
                assertThat(region.length()).isEqualTo(8192);
            }
        }
    }

    private void assertRefused(MemorySegment memory, String reason) {
        assertThatThrownBy(() -> domain.registerMemory(memory, LOCAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
