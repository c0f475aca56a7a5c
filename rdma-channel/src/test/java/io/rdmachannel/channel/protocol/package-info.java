// SPDX-License-Identifier: Apache-2.0
/** Tests of the protocol. */
package io.rdmachannel.channel.protocol;
