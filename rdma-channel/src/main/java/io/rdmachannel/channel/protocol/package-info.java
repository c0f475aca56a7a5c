// SPDX-License-Identifier: Apache-2.0
/**
 * What the two sides of a channel say to each other, byte by byte: frames of the control connection, and the header of
 * frames on the data path. {@code docs/protocol.md} is the specification.
 */
package io.rdmachannel.channel.protocol;
