// SPDX-License-Identifier: Apache-2.0
/**
 * The registered memory pool. {@link io.rdmachannel.mempool.RegisteredMemoryPool} hands out
 * {@link io.rdmachannel.mempool.Lease}s of buffers that were mapped, placed, locked and registered beforehand;
 * {@link io.rdmachannel.mempool.Claim} sets buffers aside that nobody else can take;
 * {@link io.rdmachannel.mempool.RegistrationCache} registers memory that belongs to others.
 */
package io.rdmachannel.mempool;
