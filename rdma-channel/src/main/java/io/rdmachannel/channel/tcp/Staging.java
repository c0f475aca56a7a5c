// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The buffers between memory and sockets: one pair for all links of an event loop, which uses one at a time. */
final class Staging {
    private final ByteBuffer output;
    private final ByteBuffer input;
    private final MemorySegment outputSegment;
    private final MemorySegment inputSegment;

    Staging(int bytes) {
        this.output = ByteBuffer.allocateDirect(bytes);
        this.input = ByteBuffer.allocateDirect(bytes);
        this.outputSegment = MemorySegment.ofBuffer(output);
        this.inputSegment = MemorySegment.ofBuffer(input);
    }

    MemorySegment outputSegment() {
        return outputSegment;
    }

    MemorySegment inputSegment() {
        return inputSegment;
    }

    /** What has been filled, to be written. */
    ByteBuffer output(int filled) {
        return output.position(0).limit(filled);
    }

    /** All of it, to be read into. */
    ByteBuffer input() {
        return input.clear();
    }
}
