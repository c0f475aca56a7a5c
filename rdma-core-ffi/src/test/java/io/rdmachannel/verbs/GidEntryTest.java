// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class GidEntryTest {
    private static final Gid GID = Gid.parse("fe80::1");

    @Test
    void holdsWhatItIsGiven() {
        GidEntry entry = new GidEntry(GID, 300, 1, GidType.ROCE_V2, 2, "eth0");

        assertThat(entry.gid()).isEqualTo(GID);
        assertThat(entry.index()).isEqualTo(300);
        assertThat(entry.networkInterfaceName()).isEqualTo("eth0");
        assertThat(new GidEntry(GID, 0, 1, GidType.INFINIBAND, 0, null).networkInterfaceName())
                .isNull();
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GidEntry(GID, -1, 1, GidType.ROCE_V2, 2, null))
                .withMessageContaining("GID index is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GidEntry(GID, 0, 0, GidType.ROCE_V2, 2, null))
                .withMessageContaining("port is 0, which is not in the range 1 to 255");
        assertThatIllegalArgumentException().isThrownBy(() -> new GidEntry(GID, 0, 256, GidType.ROCE_V2, 2, null));
        assertThatIllegalArgumentException().isThrownBy(() -> new GidEntry(GID, 0, 1, GidType.ROCE_V2, -1, null));
        assertThatNullPointerException().isThrownBy(() -> new GidEntry(null, 0, 1, GidType.ROCE_V2, 2, null));
        assertThatNullPointerException().isThrownBy(() -> new GidEntry(GID, 0, 1, null, 2, null));
    }
}
