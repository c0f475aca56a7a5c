// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

/**
 * How a side of a ping-pong ended.
 *
 * @param status its exit status
 * @param out what it printed as its result
 * @param err what it printed as errors and notes
 */
record Run(int status, String out, String err) {}
