// SPDX-License-Identifier: Apache-2.0
/** Tests of channels. {@code ChannelContract} is what every transport has to pass. */
package io.rdmachannel.channel;
