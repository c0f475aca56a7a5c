// SPDX-License-Identifier: Apache-2.0
/** Benchmarks, one class for each question about cost. */
package io.rdmachannel.bench;
