// SPDX-License-Identifier: Apache-2.0
/** What Java costs over C: the same work over the same verbs library, which delivers within the process. */
package io.rdmachannel.bench.overhead;
