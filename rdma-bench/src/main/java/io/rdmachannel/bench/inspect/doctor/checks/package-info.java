// SPDX-License-Identifier: Apache-2.0
/** The checks of {@code rdma-bench doctor}, a class each; {@link AllChecks} has them in order. */
package io.rdmachannel.bench.inspect.doctor.checks;
