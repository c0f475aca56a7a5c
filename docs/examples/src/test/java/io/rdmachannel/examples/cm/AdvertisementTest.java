// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class AdvertisementTest {
    @Test
    void shouldBeSixteenBytesInNetworkOrder() {
        byte[] message = new byte[Advertisement.BYTES];

        new Advertisement(0x0102030405060708L, 0x090A0B0C, 0x0D0E0F10).write(MemorySegment.ofArray(message));

        assertThat(message).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    }

    @Test
    void shouldReadBackWhatItWrote() {
        MemorySegment message = MemorySegment.ofArray(new byte[Advertisement.BYTES]);
        Advertisement advertisement = new Advertisement(-1, 0x8000_0001, 65535);

        advertisement.write(message);

        assertThat(Advertisement.read(message)).isEqualTo(advertisement);
    }
}
