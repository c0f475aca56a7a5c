// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockedMemoryTest {
    private static final List<String> INITIAL = List.of("         0          0 4294967295");
    private static final List<String> ROOTLESS = List.of("0 1000 1", "1 100000 65536");

    @Test
    void shouldCountLockedAndPinnedMemoryApart() {
        LockedMemory memory = LockedMemory.parse(1 << 20, status("0000000000000000"), INITIAL);
        assertThat(memory.lockedBytes()).isEqualTo(64 << 10);
        assertThat(memory.pinnedBytes()).isEqualTo(128 << 10);
        assertThat(memory.roomToLock()).isEqualTo((1024 - 64) << 10);
        assertThat(memory.roomToPin()).isEqualTo((1024 - 128) << 10);
    }

    @Test
    void shouldNameNeedLimitAndRemediesWhenMemoryDoesNotFit() {
        LockedMemory memory = LockedMemory.parse(64 << 10, status("0000000000000000"), INITIAL);
        assertThatThrownBy(() -> memory.requireRoomToPin(16 << 20))
                .isInstanceOfSatisfying(MemoryLimitException.class, refusal -> {
                    assertThat(refusal.neededBytes()).isEqualTo(16 << 20);
                    assertThat(refusal.limitBytes()).isEqualTo(64 << 10);
                    assertThat(refusal.usedBytes()).isEqualTo(128 << 10);
                })
                .hasMessageContainingAll("16 MiB", "64 KiB", "128 KiB", "16.13 MiB", "ulimit -l 16512")
                .hasMessageContainingAll("LimitMEMLOCK=infinity", "--ulimit memlock=-1:-1", "Kubernetes", "IPC_LOCK");
    }

    @Test
    void shouldKnowNoLimitForAProcessWithTheCapability() {
        LockedMemory memory = LockedMemory.parse(64 << 10, status("0000000000004000"), INITIAL);
        assertThat(memory.exempt()).isTrue();
        memory.requireRoomToPin(1L << 40);
    }

    @Test
    void shouldNotTrustTheCapabilityOfAUserNamespace() {
        LockedMemory memory = LockedMemory.parse(64 << 10, status("000001ffffffffff"), ROOTLESS);
        assertThat(memory.exempt()).isFalse();
    }

    @Test
    void shouldReadThisProcess() {
        LockedMemory memory = LockedMemory.read();
        assertThat(memory.limitBytes()).isNotNegative();
        assertThat(memory.pinnedBytes()).isNotNegative();
    }

    private static List<String> status(String capabilities) {
        return List.of(
                "Name:\tjava", "VmLck:\t      64 kB", "VmPin:\t     128 kB", "CapEff:\t" + capabilities, "Threads:\t1");
    }
}
