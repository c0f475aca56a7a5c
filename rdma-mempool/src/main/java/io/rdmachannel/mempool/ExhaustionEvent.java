// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A buffer was wanted and there was none; the duration is the time waited. */
@Name("io.rdmachannel.mempool.Exhaustion")
@Label("Pool Exhaustion")
@Category({"RDMA", "Memory Pool"})
@Description("An acquire found the pool exhausted")
final class ExhaustionEvent extends Event {
    @Label("Pool")
    String pool;

    @Label("Wanted Size")
    @DataAmount
    long bytes;

    @Label("Served After Waiting")
    boolean served;

    void finish(String poolName, long wanted, boolean wasServed) {
        if (shouldCommit()) {
            pool = poolName;
            bytes = wanted;
            served = wasServed;
            commit();
        }
    }
}
