// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Transport;
import java.util.Optional;

/**
 * What a handshake has agreed on.
 *
 * @param values what both sides go by
 * @param transport how the bytes travel
 * @param resumable how the channel is connected anew; empty when it is not
 */
record Agreement(Conversation values, Transport transport, Optional<Resumable> resumable) {}
