// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import java.util.BitSet;

/** Numbers of processors or NUMA nodes in the kernel's list format, such as {@code 0-3,8}. */
public final class ProcessorList {
    private ProcessorList() {}

    /**
     * Reads a list.
     *
     * @param text the list; blanks around it do not matter
     * @return a bit for each number
     * @throws IllegalArgumentException for any other text
     */
    public static BitSet parse(String text) {
        BitSet numbers = new BitSet();
        for (String part : text.strip().split(",")) {
            if (!part.isEmpty()) {
                String[] ends = part.strip().split("-", 2);
                int first = Integer.parseInt(ends[0]);
                numbers.set(first, Integer.parseInt(ends[ends.length - 1]) + 1);
            }
        }
        return numbers;
    }
}
