// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/** What all leases of a pool share. */
record LeaseContext(RegisteredMemoryPool pool, int headroomBytes, boolean checkedUse, LeakTracker tracker) {}
