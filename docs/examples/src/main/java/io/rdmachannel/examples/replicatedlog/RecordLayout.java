// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A record in a ring, little-endian: index 8, length of the data 4, CRC-32C of index, length and data 4; then the
 * data, filled up to a multiple of 8 bytes.
 */
final class RecordLayout {
    static final int HEADER_BYTES = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long INDEX = 0;
    private static final long LENGTH = 8;
    private static final long CHECKSUM = 12;

    private RecordLayout() {}

    /** How many bytes of the ring a record takes. */
    static int bytes(int dataLength) {
        return HEADER_BYTES + (dataLength + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    static void put(MemorySegment record, long index, byte[] data) {
        record.set(LONG, INDEX, index);
        record.set(INT, LENGTH, data.length);
        MemorySegment.copy(data, 0, record, ValueLayout.JAVA_BYTE, HEADER_BYTES, data.length);
        record.set(INT, CHECKSUM, checksum(record, data.length));
    }

    /**
     * Reads a record.
     *
     * @param record where it lies, as long as the writer says
     * @param expected its index
     * @return the data
     * @throws CorruptRecordException if it is not that record, whole
     */
    static byte[] read(MemorySegment record, long expected) {
        long index = record.get(LONG, INDEX);
        int length = record.get(INT, LENGTH);
        if (index != expected || length < 0 || length > record.byteSize() - HEADER_BYTES) {
            throw new CorruptRecordException("record " + index + " of " + length + " bytes in " + record.byteSize()
                    + " bytes of the ring; record " + expected + " was expected");
        }
        if (record.get(INT, CHECKSUM) != checksum(record, length)) {
            throw new CorruptRecordException("record " + index + " of " + length + " bytes has a wrong checksum");
        }
        return record.asSlice(HEADER_BYTES, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static int checksum(MemorySegment record, int dataLength) {
        CRC32C sum = new CRC32C();
        sum.update(record.asSlice(INDEX, CHECKSUM - INDEX).asByteBuffer());
        sum.update(record.asSlice(HEADER_BYTES, dataLength).asByteBuffer());
        return (int) sum.getValue();
    }
}
