// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.AsyncOperations;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletionStage;

/** Turns operations into requests that wait in the event loop's thread. */
record AsyncView(ChannelCore channel) implements AsyncOperations {
    @Override
    public CompletionStage<Void> write(
            RegisteredBuffer source, long sourceOffset, RemoteRegion target, long targetOffset, long length) {
        return transfer(
                "a write of " + length + " bytes",
                operations -> operations.write(source, sourceOffset, target, targetOffset, length, 0));
    }

    @Override
    public CompletionStage<Void> writeWithImmediate(
            RegisteredBuffer source,
            long sourceOffset,
            RemoteRegion target,
            long targetOffset,
            long length,
            int immediate) {
        return transfer(
                "a write of " + length + " bytes with immediate",
                operations -> operations.writeWithImmediate(
                        source, sourceOffset, target, targetOffset, length, immediate, 0));
    }

    @Override
    public CompletionStage<Void> read(
            RemoteRegion source, long sourceOffset, RegisteredBuffer target, long targetOffset, long length) {
        return transfer(
                "a read of " + length + " bytes",
                operations -> operations.read(source, sourceOffset, target, targetOffset, length, 0));
    }

    @Override
    public CompletionStage<Long> compareAndSwap(
            RemoteRegion target, long targetOffset, long expected, long replacement) {
        return channel.request(new Atomic(
                "a compare-and-swap",
                (operations, result) ->
                        operations.compareAndSwap(target, targetOffset, expected, replacement, result, 0)));
    }

    @Override
    public CompletionStage<Long> fetchAndAdd(RemoteRegion target, long targetOffset, long addend) {
        return channel.request(new Atomic(
                "a fetch-and-add",
                (operations, result) -> operations.fetchAndAdd(target, targetOffset, addend, result, 0)));
    }

    /** Sends a copy of a message. */
    CompletionStage<Void> send(MemorySegment source) {
        return channel.request(new AsyncRequest<>("a message of " + source.byteSize() + " bytes") {
            @Override
            Submission begin() {
                return channel.send(source, 0, source.byteSize(), 0, this);
            }

            @Override
            Void result() {
                return null;
            }
        });
    }

    private interface Transfer {
        Submission on(OneSided operations);
    }

    private interface AtomicOperation {
        Submission on(OneSided operations, Lease result);
    }

    private CompletionStage<Void> transfer(String what, Transfer transfer) {
        return channel.request(new AsyncRequest<>(what) {
            @Override
            Submission begin() {
                return channel.oneSided(this, transfer::on);
            }

            @Override
            Void result() {
                return null;
            }
        });
    }

    /** Its result lies in a buffer of the pool until the end. */
    private final class Atomic extends AsyncRequest<Long> {
        private final AtomicOperation operation;
        private Lease buffer;

        Atomic(String what, AtomicOperation operation) {
            super(what);
            this.operation = operation;
        }

        @Override
        Submission begin() {
            buffer = buffer == null ? channel.acquire(Long.BYTES) : buffer;
            return buffer == null
                    ? Submission.POOL_EXHAUSTED
                    : channel.oneSided(this, operations -> operation.on(operations, buffer));
        }

        @Override
        Long result() {
            return buffer.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        }

        @Override
        void release() {
            if (buffer != null) {
                buffer.release();
                buffer = null;
            }
        }
    }
}
