// SPDX-License-Identifier: Apache-2.0
/**
 * RDMA connections by IP address and port, over the system's {@code librdmacm} ({@code rdma_cm(7)}): they work with
 * every program that uses it.
 *
 * <p>An {@link io.rdmachannel.cm.EventChannel} reports what happens; a {@link io.rdmachannel.cm.ConnectionId} is one
 * end of a connection, or a listener. Everything takes time and is answered by a
 * {@link io.rdmachannel.cm.ConnectionEvent}, so no call of a connection blocks; only
 * {@link io.rdmachannel.cm.EventChannel#await} does, up to the limit that it is given.
 *
 * <p>Queue pairs are made by the program, in its own device context, and moved by
 * {@link io.rdmachannel.cm.ConnectionId#queuePairChange}. The steps, with the event that ends each:
 *
 * <table>
 * <caption>Connecting</caption>
 * <thead><tr><th scope="col">client</th><th scope="col">server</th></tr></thead>
 * <tbody>
 * <tr><td>{@code resolveAddress}: ADDRESS_RESOLVED</td><td>{@code bindAddress}, {@code listen}</td></tr>
 * <tr><td>{@code resolveRoute}: ROUTE_RESOLVED</td><td></td></tr>
 * <tr><td>queue pair to INIT, receives posted</td><td></td></tr>
 * <tr><td>{@code connect}</td><td>CONNECT_REQUEST, with a new identifier</td></tr>
 * <tr><td></td><td>queue pair to INIT, receives posted, READY_TO_RECEIVE, READY_TO_SEND</td></tr>
 * <tr><td>CONNECT_RESPONSE</td><td>{@code accept}</td></tr>
 * <tr><td>queue pair to READY_TO_RECEIVE, READY_TO_SEND</td><td></td></tr>
 * <tr><td>{@code establish}</td><td>ESTABLISHED</td></tr>
 * <tr><td>{@code disconnect}: DISCONNECTED</td><td>DISCONNECTED, {@code disconnect}</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Objects are closed explicitly, in any order, by any thread; a closed one answers with
 * {@link java.lang.IllegalStateException} and never reaches native code. Whether the library is there at all is told by
 * {@link io.rdmachannel.cm.ConnectionManager}.
 */
package io.rdmachannel.cm;
