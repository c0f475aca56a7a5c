// SPDX-License-Identifier: Apache-2.0
/**
 * A channel under load while somebody breaks what is between or around its two ends: numbered messages with checksums
 * in both directions, counted, with the times that detection and recovery took.
 */
package io.rdmachannel.bench.fault;
