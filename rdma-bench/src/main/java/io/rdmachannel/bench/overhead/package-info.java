// SPDX-License-Identifier: Apache-2.0
/** What Java costs over C: the same work over one verbs library, which delivers within the process, or on a device. */
package io.rdmachannel.bench.overhead;
