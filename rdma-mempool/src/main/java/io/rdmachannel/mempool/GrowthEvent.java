// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A pool got memory or gave some back. */
@Name("io.rdmachannel.mempool.Growth")
@Label("Pool Growth")
@Category({"RDMA", "Memory Pool"})
@Description("A pool mapped a slab, or gave one back (negative change)")
final class GrowthEvent extends Event {
    @Label("Pool")
    String pool;

    @Label("Change")
    @DataAmount
    long changeBytes;

    @Label("Capacity Afterwards")
    @DataAmount
    long capacityBytes;

    void finish(String poolName, long change, long capacity) {
        if (shouldCommit()) {
            pool = poolName;
            changeBytes = change;
            capacityBytes = capacity;
            commit();
        }
    }
}
