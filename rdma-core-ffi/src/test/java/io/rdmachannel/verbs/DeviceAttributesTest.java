// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rdmachannel.ffi.generated.ibverbs.ibv_device_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class DeviceAttributesTest {
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment attributes = ibv_device_attr.allocate(arena);

    @Test
    void everyFieldComesFromItsOwnPlace() {
        fillIntegers();

        DeviceAttributes device = DeviceAttributes.from(attributes);

        assertThat(device.vendorId()).isEqualTo(1);
        assertThat(device.vendorPartId()).isEqualTo(2);
        assertThat(device.hardwareVersion()).isEqualTo(3);
        assertThat(device.queueLimits())
                .isEqualTo(new DeviceAttributes.QueueLimits(4, 5, 7, 8, 9, 10, 30, 31, 32, 12, 27, 34));
        assertThat(device.memoryLimits()).isEqualTo(new DeviceAttributes.MemoryLimits(11, 37, 38, 21));
        assertThat(device.readLimits()).isEqualTo(new DeviceAttributes.ReadLimits(13, 16, 15));
        assertThat(device.rareLimits())
                .isEqualTo(new DeviceAttributes.RareLimits(24, 25, 26, 22, 23, 28, 29, 19, 20, 14, 17));
        assertThat(device.localAckDelay()).isEqualTo(35);
        assertThat(device.portCount()).isEqualTo(36);
        assertThat(device.atomicCapability()).isEqualTo(AtomicCapability.DEVICE);
        assertThat(device.capabilities())
                .containsExactly(DeviceCapability.BAD_PARTITION_KEY_COUNTER, DeviceCapability.BAD_QUEUE_KEY_COUNTER);
    }

    private void fillIntegers() {
        int number = 1;
        // From vendor_id to max_srq_sge the structure is integers without a gap.
        for (long offset = ibv_device_attr.vendor_id$offset();
                offset <= ibv_device_attr.max_srq_sge$offset();
                offset += Integer.BYTES) {
            attributes.set(ValueLayout.JAVA_INT, offset, number++);
        }
        assertThat(number).isEqualTo(33);
        ibv_device_attr.atomic_cap(attributes, ibverbs_constants.IBV_ATOMIC_HCA());
        ibv_device_attr.max_pkeys(attributes, (short) 34);
        ibv_device_attr.local_ca_ack_delay(attributes, (byte) 35);
        ibv_device_attr.phys_port_cnt(attributes, (byte) 36);
        ibv_device_attr.max_mr_size(attributes, 37);
        ibv_device_attr.page_size_cap(attributes, 38);
    }

    @Test
    void everySmallFieldIsUnsigned() {
        attributes.fill((byte) 0xFF);

        DeviceAttributes device = DeviceAttributes.from(attributes);

        assertThat(device.vendorId()).isEqualTo(0xFFFF_FFFFL);
        assertThat(device.hardwareVersion()).isEqualTo(0xFFFF_FFFFL);
        assertThat(device.portCount()).isEqualTo(255);
        assertThat(device.localAckDelay()).isEqualTo(255);
        assertThat(device.queueLimits().maxPartitions()).isEqualTo(0xFFFF);
        assertThat(device.memoryLimits().maxRegionSize()).isEqualTo(Long.MAX_VALUE);
        assertThat(device.atomicCapability()).isEqualTo(AtomicCapability.UNKNOWN);
        assertThat(device.capabilities()).isEqualTo(EnumSet.allOf(DeviceCapability.class));
    }

    @Test
    void identifiersAreReadInNetworkOrder() {
        byte[] guid = ByteBuffer.allocate(8).putLong(0x5054_00FF_FE12_3456L).array();
        MemorySegment.copy(guid, 0, attributes, ValueLayout.JAVA_BYTE, ibv_device_attr.node_guid$offset(), 8);

        DeviceAttributes device = DeviceAttributes.from(attributes);

        assertThat(device.nodeGuid()).isEqualTo(0x5054_00FF_FE12_3456L);
        assertThat(device.systemImageGuid()).isZero();
    }

    @Test
    void theFirmwareVersionEndsAtZeroOrAtTheEnd() {
        assertThat(DeviceAttributes.from(attributes).firmwareVersion()).isEmpty();

        writeFirmware("20.31.1014");
        assertThat(DeviceAttributes.from(attributes).firmwareVersion()).isEqualTo("20.31.1014");

        writeFirmware("x".repeat(64));
        assertThat(DeviceAttributes.from(attributes).firmwareVersion()).isEqualTo("x".repeat(64));
    }

    private void writeFirmware(String version) {
        byte[] bytes = version.getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(bytes, 0, attributes, ValueLayout.JAVA_BYTE, ibv_device_attr.fw_ver$offset(), bytes.length);
    }

    @Test
    void pageSizesAreAskedForByPowersOfTwo() {
        DeviceAttributes.MemoryLimits limits = new DeviceAttributes.MemoryLimits(1, 1, 4096 | 2 << 20, 0);

        assertThat(limits.supportsPageSize(4096)).isTrue();
        assertThat(limits.supportsPageSize(2 << 20)).isTrue();
        assertThat(limits.supportsPageSize(8192)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.supportsPageSize(4097))
                .withMessageContaining("4097");
        assertThatIllegalArgumentException().isThrownBy(() -> limits.supportsPageSize(0));
    }
}
