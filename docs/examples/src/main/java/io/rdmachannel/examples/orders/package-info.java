// SPDX-License-Identifier: Apache-2.0
/**
 * Order submission: clients send orders, a gateway answers each with an acknowledgement or a rejection. It shows
 * fixed binary layouts, messages written in place, back-pressure on both sides, and two ways to poll: the gateway's
 * poller has a thread of its own and serves all clients, each client drives its own poller.
 *
 * <p>{@link io.rdmachannel.examples.orders.Orders} is the program, {@code Gateway} and {@code OrderClient} are its
 * sides.
 */
package io.rdmachannel.examples.orders;
