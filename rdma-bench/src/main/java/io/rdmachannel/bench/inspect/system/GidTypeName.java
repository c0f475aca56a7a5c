// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import io.rdmachannel.verbs.GidType;

/** Types of GIDs as people write them. */
public final class GidTypeName {
    private GidTypeName() {}

    /**
     * Gives the name.
     *
     * @param type the type
     * @return such as {@code RoCE v2}
     */
    public static String of(GidType type) {
        return switch (type) {
            case ROCE_V1 -> "RoCE v1";
            case ROCE_V2 -> "RoCE v2";
            case INFINIBAND -> "InfiniBand";
            case UNKNOWN -> "unknown";
        };
    }
}
