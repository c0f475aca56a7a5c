// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Memory was registered; the duration is the registrar's. */
@Name("io.rdmachannel.mempool.Registration")
@Label("Memory Registration")
@Category({"RDMA", "Memory Pool"})
@Description("Memory was pinned and made known to an adapter")
@StackTrace(false)
final class RegistrationEvent extends Event {
    @Label("Pool")
    String pool;

    @Label("Size")
    @DataAmount
    long bytes;

    void finish(String poolName, long size) {
        if (shouldCommit()) {
            pool = poolName;
            bytes = size;
            commit();
        }
    }
}
