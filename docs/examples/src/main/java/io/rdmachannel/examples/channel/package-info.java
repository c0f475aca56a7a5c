// SPDX-License-Identifier: Apache-2.0
/**
 * A tour of {@code io.rdmachannel.channel} in two processes: messages that are answered, and writes into the memory
 * of the peer, with their latencies and with every byte checked.
 *
 * <p>{@link io.rdmachannel.examples.channel.ChannelDemo} is the program; {@code DemoClient} and {@code DemoServer}
 * are its roles, {@code DemoSession} is what the server does for one client.
 */
package io.rdmachannel.examples.channel;
