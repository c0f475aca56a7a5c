// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.testing.LoopbackTest;

/** The contract over RDMA, on the stand-in for the verbs library. */
@LoopbackTest
class LoopbackChannelTest extends RdmaChannelCases {}
