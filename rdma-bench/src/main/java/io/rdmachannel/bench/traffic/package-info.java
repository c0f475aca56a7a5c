// SPDX-License-Identifier: Apache-2.0
/** Traffic between two processes and how long it takes: the tests, and the two sides that run them. */
package io.rdmachannel.bench.traffic;
