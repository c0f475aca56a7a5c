// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.util.EnumMap;
import java.util.Map;

/**
 * A view of counts, of a channel or of a poller with all its channels. It is always the present one, and stays usable
 * after the end. Any thread; reading does not hold the channels up. Counts of one moment need not belong together
 * exactly, since the channels go on meanwhile.
 */
public interface ChannelCounters {
    /**
     * Reads one count.
     *
     * @param counter which one
     * @return 0 or more, never less than before; 0 for a channel when only pollers count it
     */
    long value(ChannelCounter counter);

    /**
     * Reads all.
     *
     * @return a new map with a value for each counter
     */
    default Map<ChannelCounter, Long> snapshot() {
        EnumMap<ChannelCounter, Long> values = new EnumMap<>(ChannelCounter.class);
        for (ChannelCounter counter : ChannelCounter.values()) {
            values.put(counter, value(counter));
        }
        return values;
    }
}
