// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import javax.crypto.Mac;

/**
 * The codes behind the frames of one direction. A code covers the frame and how many there were before it, so that none
 * is changed, left out, repeated or moved unnoticed. One thread at a time.
 */
final class FrameCodes {
    private final Mac mac;
    private long frames;

    FrameCodes(byte[] key) {
        this.mac = Hmac.keyed(key);
    }

    /** A frame's bytes with its code behind them. */
    byte[] append(byte[] frame) {
        begin();
        byte[] code = Hmac.of(mac, frame);
        return ByteBuffer.allocate(frame.length + code.length)
                .put(frame)
                .put(code)
                .array();
    }

    /**
     * Reads a frame and its code.
     *
     * @return the frame, or null at the end of the stream between two frames
     * @throws ProtocolException if the code is wrong, or it is no frame
     * @throws IOException if the stream fails, or ends within frame or code
     */
    ControlFrame read(InputStream stream) throws IOException {
        begin();
        ControlFrame frame = ControlFrame.read(new CoveredStream(stream));
        if (frame == null) {
            return null;
        }
        byte[] code = stream.readNBytes(Hmac.BYTES);
        if (code.length < Hmac.BYTES) {
            throw new EOFException("the connection ended within the code of a control frame");
        }
        if (!Hmac.isSame(code, mac.doFinal())) {
            throw new ProtocolException("the code behind a control frame is wrong: frames were changed, left out,"
                    + " repeated or moved on their way");
        }
        return frame;
    }

    private void begin() {
        mac.reset();
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, frames));
        frames++;
    }

    /** Every byte that is read counts for the code. */
    private final class CoveredStream extends FilterInputStream {
        CoveredStream(InputStream stream) {
            super(stream);
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            if (next >= 0) {
                mac.update((byte) next);
            }
            return next;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = super.read(target, offset, length);
            if (count > 0) {
                mac.update(target, offset, count);
            }
            return count;
        }
    }
}
