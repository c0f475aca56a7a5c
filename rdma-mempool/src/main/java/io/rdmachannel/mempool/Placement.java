// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.List;

/**
 * What became of the wishes for a slab's memory.
 *
 * @param pageBytes the size of its pages, as far as it is certain; transparent huge pages count as ordinary ones
 * @param numaNode the node it is bound to, or -1
 * @param locked whether it is locked
 * @param notes a sentence for each wish that could not be fulfilled, with the reason
 */
public record Placement(long pageBytes, int numaNode, boolean locked, List<String> notes) {
    /**
     * Makes a report.
     *
     * @param pageBytes the size of its pages
     * @param numaNode the node it is bound to, or -1
     * @param locked whether it is locked
     * @param notes the sentences
     */
    public Placement {
        notes = List.copyOf(notes);
    }
}
