// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.testing.LoopbackTest;

/** Completion queues, as a real driver is tested in the lab, on the stand-in. */
@LoopbackTest
class LoopbackCompletionQueueTest extends CompletionQueueIT {}
