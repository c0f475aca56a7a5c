// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.util.Map;
import java.util.Set;

/** Where a newer header may have more members than the one that the Java classes were made from, and nothing breaks. */
enum Growth {
    /** Any difference is an error. */
    NONE,
    /** The library is told the size that the caller knows. */
    AT_END,
    /** The address of the structure is computed back from its last member, so that offsets count from that one. */
    AT_FRONT;

    private static final Map<String, Growth> KNOWN = Map.of(
            "ibv_port_attr", AT_END,
            "verbs_context", AT_FRONT);

    /** The last member of the one structure that grows at its front. */
    static final String ANCHOR = "context";

    static Growth of(String type) {
        return KNOWN.getOrDefault(type, NONE);
    }

    static Set<String> growingTypes() {
        return KNOWN.keySet();
    }
}
