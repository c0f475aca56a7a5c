// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/** Memory that an adapter may use, until closed. May be used by any thread; closing may block. */
public interface Registration extends AutoCloseable {
    /**
     * Gives the key for work requests of this process.
     *
     * @return the lkey
     */
    int localKey();

    /**
     * Gives the key for peers.
     *
     * @return the rkey; some devices give 0 when no remote right was asked for
     */
    int remoteKey();

    /**
     * Ends the registration. Idempotent.
     *
     * @throws RuntimeException if it is refused; the memory must then stay mapped, and close can be repeated
     */
    @Override
    void close();
}
