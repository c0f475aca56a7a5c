// SPDX-License-Identifier: Apache-2.0
/**
 * A ping-pong over reliable connections that speaks with rdma-core's {@code ibv_rc_pingpong}, as client and as server:
 * same options, same exchange of addresses over TCP, same output. It shows the whole life of a queue pair with
 * {@code io.rdmachannel.verbs} and nothing else.
 *
 * <p>{@link io.rdmachannel.examples.pingpong.Main} is the program, {@code PingPong} the order of events.
 */
package io.rdmachannel.examples.pingpong;
