// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.ResultDocument;

/**
 * One file of results.
 *
 * @param name the file's name
 * @param document what is in it
 */
record Source(String name, ResultDocument document) {}
