// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.NativeMemory;
import io.rdmachannel.ffi.generated.ibverbs.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.Set;

/**
 * Room for the completions that one poll takes, read in place: made once per polling thread and used for every poll.
 *
 * <p>Entries are numbered from 0 to {@link #count()} - 1 and hold until the next poll. On failure only
 * {@link #workRequestId}, {@link #status}, {@link #queuePairNumber} and {@link #vendorError} mean anything, as the man
 * page says; asking for more throws. Not safe for use by two threads at once; its memory is managed by the garbage
 * collector.
 */
public final class WorkCompletions {
    private static final int CAPACITY_MAX = 1 << 16;

    private final MemorySegment entries;
    private final long base;
    private final int capacity;
    private int count;

    private WorkCompletions(int capacity) {
        this.capacity = capacity;
        this.entries = ibv_wc.allocateArray(capacity, Arena.ofAuto());
        this.base = entries.address();
    }

    /**
     * Makes room.
     *
     * @param capacity how many completions one poll takes at most, from 1 to 65,536
     * @return empty room
     * @throws IllegalArgumentException if out of range
     * @throws RdmaUnavailableException if verbs cannot be used in this process
     */
    public static WorkCompletions ofCapacity(int capacity) {
        Ranges.require("capacity", capacity, 1, CAPACITY_MAX);
        Verbs.ensureAvailable();
        return new WorkCompletions(capacity);
    }

    /**
     * Gives the room.
     *
     * @return how many completions one poll takes at most
     */
    public int capacity() {
        return capacity;
    }

    /**
     * Says how many completions the last poll took.
     *
     * @return 0 to capacity
     */
    public int count() {
        return count;
    }

    /**
     * Gives the number that the work request carried.
     *
     * @param index which completion
     * @return its 64 bits
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public long workRequestId(int index) {
        long id = NativeMemory.getLong(at(index) + ibv_wc.wr_id$offset());
        Reference.reachabilityFence(this);
        return id;
    }

    /**
     * Says how the work ended.
     *
     * @param index which completion
     * @return the status; UNKNOWN for one that this library does not know, see {@link #rawStatus}
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public WorkCompletionStatus status(int index) {
        return WorkCompletionStatus.of(rawStatus(index));
    }

    /**
     * Gives the status as the device reported it.
     *
     * @param index which completion
     * @return a value of {@code enum ibv_wc_status}; 0 is success
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public int rawStatus(int index) {
        return getInt(at(index), ibv_wc.status$offset());
    }

    /**
     * Says whether the work succeeded.
     *
     * @param index which completion
     * @return true for success
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public boolean isSuccess(int index) {
        return rawStatus(index) == 0;
    }

    /**
     * Says what kind of work ended. Devices leave this unset on failure, so it can only be asked on success: keep the
     * kind with your own record of the work request.
     *
     * @param index which completion
     * @return the kind; UNKNOWN for one that this library does not know, see {@link #rawOpcode}
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public WorkCompletionOpcode opcode(int index) {
        return WorkCompletionOpcode.of(rawOpcode(index));
    }

    /**
     * Gives the kind as the device reported it.
     *
     * @param index which completion
     * @return a value of {@code enum ibv_wc_opcode}
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public int rawOpcode(int index) {
        return getInt(onSuccess(index), ibv_wc.opcode$offset());
    }

    /**
     * Gives the vendor's own error code.
     *
     * @param index which completion
     * @return the code; its meaning is the vendor's
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public int vendorError(int index) {
        return getInt(at(index), ibv_wc.vendor_err$offset());
    }

    /**
     * Says how many bytes arrived.
     *
     * @param index which completion
     * @return bytes; for datagrams the 40 bytes of the routing header are counted
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public long byteLength(int index) {
        return Integer.toUnsignedLong(getInt(onSuccess(index), ibv_wc.byte_len$offset()));
    }

    /**
     * Says whether the sender added immediate data.
     *
     * @param index which completion
     * @return true when {@link #immediate} means something
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public boolean hasImmediate(int index) {
        return (rawFlags(index) & WorkCompletionFlag.WITH_IMMEDIATE.bit()) != 0;
    }

    /**
     * Gives the immediate data, as the number that the sender gave.
     *
     * @param index which completion
     * @return the 32 bits
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public int immediate(int index) {
        return Integer.reverseBytes(getInt(onSuccess(index), ibv_wc.imm_data$offset()));
    }

    /**
     * Gives the local key or window key that the sender invalidated.
     *
     * @param index which completion
     * @return the rkey, when the flags hold {@link WorkCompletionFlag#WITH_INVALIDATE}
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public int invalidatedKey(int index) {
        return getInt(onSuccess(index), ibv_wc.invalidated_rkey$offset());
    }

    /**
     * Gives the flags.
     *
     * @param index which completion
     * @return the flags as a set; makes an object, so not for the data path
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public Set<WorkCompletionFlag> flags(int index) {
        return WorkCompletionFlag.of(rawFlags(index));
    }

    /**
     * Says on which queue pair of this process the work was.
     *
     * @param index which completion
     * @return its 24-bit number
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public int queuePairNumber(int index) {
        return getInt(at(index), ibv_wc.qp_num$offset());
    }

    /**
     * Says which queue pair sent a datagram.
     *
     * @param index which completion
     * @return its 24-bit number; means something for unreliable datagrams only
     * @throws IllegalStateException if the work failed
     * @throws IndexOutOfBoundsException if the last poll took no such completion
     */
    public int sourceQueuePairNumber(int index) {
        return getInt(onSuccess(index), ibv_wc.src_qp$offset());
    }

    long address() {
        return base;
    }

    void filled(int polled) {
        this.count = Math.max(0, polled);
    }

    private int rawFlags(int index) {
        return getInt(onSuccess(index), ibv_wc.wc_flags$offset());
    }

    private int getInt(long completion, long field) {
        int value = NativeMemory.getInt(completion + field);
        Reference.reachabilityFence(this);
        return value;
    }

    private long at(int index) {
        return base + Objects.checkIndex(index, count) * ibv_wc.sizeof();
    }

    private long onSuccess(int index) {
        long completion = at(index);
        int status = getInt(completion, ibv_wc.status$offset());
        if (status != 0) {
            throw new IllegalStateException("completion " + index + " failed with " + WorkCompletionStatus.of(status)
                    + ", and a failed one has only its work request id, status, queue pair number and vendor error");
        }
        return completion;
    }
}
