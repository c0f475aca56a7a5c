// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

/** Sends back what its one client sends, until the client ends. */
interface EchoServer {
    /**
     * Binds to a free port of the loopback address.
     *
     * @return the port
     */
    int bind() throws Exception;

    /** Serves; returns when the client has ended. */
    void serve() throws Exception;
}
