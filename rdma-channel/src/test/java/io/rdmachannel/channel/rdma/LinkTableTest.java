// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinkTableTest {
    private final LinkTable table = new LinkTable();

    @Test
    void shouldFindLinksAsAMapDoes() {
        Random random = new Random(1);
        Map<Integer, RdmaLink> expected = new HashMap<>();
        for (int step = 0; step < 5_000; step++) {
            int number = random.nextInt(300) << random.nextInt(12);
            if (random.nextInt(3) > 0) {
                RdmaLink link = link();
                table.put(number, link);
                expected.put(number, link);
            } else if (expected.containsKey(number)) {
                table.remove(expected.remove(number));
            }
            assertThat(table.get(number)).isSameAs(expected.get(number));
        }
        expected.forEach((number, link) -> assertThat(table.get(number)).isSameAs(link));
        assertThat(table.all()).containsExactlyInAnyOrderElementsOf(expected.values());
    }

    @Test
    void shouldFindNothingThatIsNotThere() {
        assertThat(table.get(0)).isNull();
        assertThat(table.all()).isEmpty();
    }

    private static RdmaLink link() {
        return new RdmaLink(null, new Endpoint(null, null, null, null, 0), null, 0);
    }
}
