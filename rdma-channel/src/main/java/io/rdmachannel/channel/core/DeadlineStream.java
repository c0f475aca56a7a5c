// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A socket's input with one deadline for all reads: a peer that sends a byte now and then gains no time. */
final class DeadlineStream extends FilterInputStream {
    private final Socket socket;
    private final Deadline deadline;

    DeadlineStream(Socket socket, InputStream input, Deadline deadline) {
        super(input);
        this.socket = socket;
        this.deadline = deadline;
    }

    @Override
    public int read() throws IOException {
        limit();
        return super.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        limit();
        return super.read(target, offset, length);
    }

    private void limit() throws IOException {
        if (deadline.isOver()) {
            throw new SocketTimeoutException("the deadline has passed");
        }
        socket.setSoTimeout(deadline.millisLeft());
    }
}
