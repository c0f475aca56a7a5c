// SPDX-License-Identifier: Apache-2.0
/** Round trips of the tcp transport beside those of plain NIO and of Netty, in two processes or in one. */
package io.rdmachannel.bench.roundtrip;
