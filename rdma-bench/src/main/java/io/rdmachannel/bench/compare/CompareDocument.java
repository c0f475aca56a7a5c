// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rdmachannel.bench.result.Environment;
import java.util.List;

/**
 * All that {@code rdma-bench compare} has found, as it is written to JSON; README.md describes it.
 *
 * @param schema {@link #SCHEMA}
 * @param tool version of the tool
 * @param environment where and when
 * @param command the command line
 * @param perftest version of perftest
 * @param device the RDMA device
 * @param gidIndex entry of its GID table that both used; -1 where none is needed
 * @param cpus processors of server and client; empty for any
 * @param rounds how often each cell was measured by both
 * @param iterations operations of one measurement
 * @param txDepth operations outstanding at a time, for bandwidth
 * @param comparisons one for each cell
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CompareDocument(
        String schema,
        String tool,
        Environment environment,
        String command,
        String perftest,
        String device,
        int gidIndex,
        List<Integer> cpus,
        int rounds,
        int iterations,
        int txDepth,
        List<Comparison> comparisons) {
    /** Name and version of the form. */
    static final String SCHEMA = "rdma-bench-compare/1";
}
