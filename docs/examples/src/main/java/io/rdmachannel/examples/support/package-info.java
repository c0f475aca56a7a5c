// SPDX-License-Identifier: Apache-2.0
/** What the examples of {@code io.rdmachannel.channel} share: command lines, exit statuses, latencies. */
package io.rdmachannel.examples.support;
