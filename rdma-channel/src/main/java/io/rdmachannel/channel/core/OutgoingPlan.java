// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

/**
 * How a channel sends.
 *
 * @param sendDepth how many messages may be outstanding
 * @param eagerBytes the longest message that is sent at once
 * @param usual whom most messages tell of their end
 * @param keepsMessages whether messages are kept until they are handled, to be sent again on another link
 */
record OutgoingPlan(int sendDepth, long eagerBytes, Completion usual, boolean keepsMessages) {}
