// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.testing.LoopbackTest;

/** Links, as a real driver is tested in the lab, on the stand-in for the verbs library. */
@LoopbackTest
class LoopbackLinkTest extends RdmaLinkIT {}
