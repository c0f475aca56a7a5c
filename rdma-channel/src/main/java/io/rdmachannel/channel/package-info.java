// SPDX-License-Identifier: Apache-2.0
/**
 * Channels: the only package that most users import.
 *
 * <p>{@link io.rdmachannel.channel.RdmaChannel#connect} and {@link io.rdmachannel.channel.RdmaListener#bind} make them;
 * a {@link io.rdmachannel.channel.Poller} drives them. All that happens to a channel is told to its
 * {@link io.rdmachannel.channel.ChannelHandler}, in the poller's thread. Operations answer at once with a
 * {@link io.rdmachannel.channel.Submission}, and their end is told as an {@link io.rdmachannel.channel.Outcome}.
 */
package io.rdmachannel.channel;
