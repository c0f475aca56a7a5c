// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * How many RDMA objects the kernel knows, on all devices together.
 *
 * @param text what {@code rdma resource show} prints
 */
record RdmaResources(String text) {
    static RdmaResources now() {
        try {
            Process process = new ProcessBuilder("rdma", "resource", "show")
                    .redirectErrorStream(true)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("rdma resource show failed: " + text);
            }
            return new RdmaResources(text.strip());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
