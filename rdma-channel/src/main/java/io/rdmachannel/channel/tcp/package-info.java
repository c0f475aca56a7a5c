// SPDX-License-Identifier: Apache-2.0
/**
 * The tcp transport: what a queue pair does, done by two libraries over one TCP connection. Needs no native library.
 * {@code docs/protocol.md} has its frames.
 */
package io.rdmachannel.channel.tcp;
