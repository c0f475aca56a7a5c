// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

/**
 * RDMA cannot be used in this process: the library, the permission for native access, or the platform is missing. The
 * message says which, and what to install or set.
 */
public final class RdmaUnavailableException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message the cause and the remedy
     */
    public RdmaUnavailableException(String message) {
        super(message);
    }
}
