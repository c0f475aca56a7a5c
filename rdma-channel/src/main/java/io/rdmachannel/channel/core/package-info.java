// SPDX-License-Identifier: Apache-2.0
/**
 * What a channel is, apart from how its bytes travel: states, sequence numbers, credits, regions, operations, and the
 * event loop. A transport is a {@link io.rdmachannel.channel.core.Link}.
 */
package io.rdmachannel.channel.core;
