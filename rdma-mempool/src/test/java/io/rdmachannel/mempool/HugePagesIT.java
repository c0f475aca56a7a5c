// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.DeviceContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reserves huge pages and gives them back, which only the lab's guest may be used for. */
@Tag("rdma")
@Timeout(120)
class HugePagesIT {
    private static final Path RESERVED = Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages");

    private DeviceContext context;

    @BeforeEach
    void open() {
        context = LabDevice.find().open();
        assumeTrue(System.getenv("RDMA_LAB") != null, "expected: reserves huge pages, so in the lab only");
        assumeTrue(
                Files.isWritable(RESERVED),
                "expected: this kernel has no huge pages of 2 MiB, or this user is not root");
    }

    @AfterEach
    void close() throws Exception {
        if (context != null) {
            context.close();
            reserve(0);
        }
    }

    @Test
    void shouldUseReservedHugePages() throws Exception {
        reserve(8);
        try (RegisteredMemoryPool pool = create()) {
            Placement placement = pool.stats().placement();
            assertThat(placement.pageBytes()).isEqualTo(2 << 20);
            assertThat(placement.notes()).noneMatch(note -> note.contains("huge"));
            Lease lease = pool.acquire(1 << 20);
            lease.segment().fill((byte) 1);
            assertThat(lease.localKey()).isNotZero();
            lease.release();
        }
        assertThat(Files.readString(RESERVED.resolveSibling("free_hugepages")).strip())
                .isEqualTo("8");
    }

    @Test
    void shouldFallBackToOrdinaryPagesAndSaySoWhenNoneAreReserved() throws Exception {
        reserve(0);
        try (RegisteredMemoryPool pool = create()) {
            Placement placement = pool.stats().placement();
            assertThat(placement.pageBytes()).isEqualTo(4096);
            assertThat(placement.notes()).anyMatch(note -> note.contains("ENOMEM") && note.contains("nr_hugepages"));
        }
    }

    private RegisteredMemoryPool create() {
        return RegisteredMemoryPool.create(PoolConfig.builder()
                .initialBytes(8 << 20)
                .hugePages(HugePages.EXPLICIT_2_MIB)
                .registerWith(Registrar.of(context.allocateProtectionDomain(), Set.of(AccessFlag.LOCAL_WRITE)))
                .build());
    }

    private static void reserve(int pages) throws Exception {
        Files.writeString(RESERVED, Integer.toString(pages));
        assertThat(Files.readString(RESERVED).strip()).isEqualTo(Integer.toString(pages));
    }
}
