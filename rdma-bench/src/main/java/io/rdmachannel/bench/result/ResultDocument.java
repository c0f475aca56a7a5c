// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * All that one command has measured, as it is written to JSON; README.md describes it.
 *
 * @param schema {@link #SCHEMA}
 * @param tool version of the tool
 * @param environment where and when
 * @param command the command line
 * @param results one for each size
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResultDocument(
        String schema, String tool, Environment environment, String command, List<TestResult> results) {
    /** Name and version of the form. */
    public static final String SCHEMA = "rdma-bench-result/1";
}
