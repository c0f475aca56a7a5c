// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A lease was lost without having been released. */
@Name("io.rdmachannel.mempool.Leak")
@Label("Lease Leak")
@Category({"RDMA", "Memory Pool"})
@Description("A lease became unreachable without having been released")
@StackTrace(false)
final class LeakEvent extends Event {
    @Label("Pool")
    String pool;

    @Label("Size")
    @DataAmount
    long bytes;

    @Label("Acquired At")
    String acquiredAt;

    static void emit(String poolName, long size, String acquisition) {
        LeakEvent event = new LeakEvent();
        if (event.shouldCommit()) {
            event.pool = poolName;
            event.bytes = size;
            event.acquiredAt = acquisition;
            event.commit();
        }
    }
}
