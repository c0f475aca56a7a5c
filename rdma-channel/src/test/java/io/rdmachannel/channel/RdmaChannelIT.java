// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.rdma.LabDevice;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract over RDMA, with a real device. */
@Tag("rdma")
class RdmaChannelIT extends RdmaChannelCases {
    private static String before;

    @BeforeAll
    static void requireDevice() throws Exception {
        LabDevice.require();
        before = LabDevice.resources();
    }

    @AfterAll
    static void shouldLeaveNothingInTheKernel() throws Exception {
        if (before != null) {
            LabDevice.requireResources(before);
        }
    }
}
