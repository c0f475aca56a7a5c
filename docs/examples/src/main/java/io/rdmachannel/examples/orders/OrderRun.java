// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import java.time.Duration;

/**
 * What one client is to do.
 *
 * @param orders how many it sends
 * @param window how many may wait for their answers
 * @param limit how long it may take
 */
record OrderRun(int orders, int window, Duration limit) {}
