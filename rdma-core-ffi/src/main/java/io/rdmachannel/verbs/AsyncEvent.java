// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Optional;

/**
 * Something that happened to a device, a port or a queue outside the order of work ({@code ibv_get_async_event(3)}). A
 * plain value, already acknowledged.
 *
 * @param type what happened
 * @param rawType the number that the driver gave, which tells more when the type is unknown
 * @param port the port, from 1, for events of a port; else 0
 * @param element the queue pair, completion queue or shared receive queue; empty for other events, and for one that was
 *     closed meanwhile
 */
public record AsyncEvent(AsyncEventType type, int rawType, int port, Optional<AutoCloseable> element) {}
