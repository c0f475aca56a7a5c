// SPDX-License-Identifier: Apache-2.0
/**
 * RDMA verbs as Java objects: devices, protection domains, memory regions, completion queues and queue pairs, over the
 * system's {@code libibverbs}.
 *
 * <p>One noun a class, named as the InfiniBand specification and rdma-core name it, in full words. Every object is
 * closed explicitly; a child keeps its parents reachable, and closing a parent closes its children first, in
 * the order memory windows, queue pairs, shared receive queues, address handles, completion queues, completion
 * channels, memory regions, protection domains, device context. Closing twice is harmless. A closed object answers
 * with {@link java.lang.IllegalStateException} and never reaches native code.
 *
 * <p>Start with {@link io.rdmachannel.verbs.Device#list()}; whether the machine has the library at all is told by
 * {@link io.rdmachannel.verbs.Verbs}.
 */
package io.rdmachannel.verbs;
