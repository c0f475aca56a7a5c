// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.RdmaTest;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RdmaTest
class GidTableIT {
    private RdmaDevice device;
    private DeviceContext context;
    private Path directory;

    @BeforeEach
    void open() {
        device = RdmaDevice.find();
        context = device.open();
        directory = device.device().systemPath().resolve("ports").resolve(Integer.toString(device.port()));
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void shouldHoldExactlyTheFilledEntriesOfTheSystem() throws IOException {
        List<Integer> filled = new ArrayList<>();
        for (int index = 0; index < context.port(device.port()).gidTableLength(); index++) {
            if (!Gid.parse(read("gids", index)).isZero()) {
                filled.add(index);
            }
        }

        assertThat(context.gidTable(device.port())).extracting(GidEntry::index).containsExactlyElementsOf(filled);
    }

    @Test
    void shouldAgreeWithTheSystemOnEachEntry() throws IOException {
        for (GidEntry entry : context.gidTable(device.port())) {
            assertThat(entry.gid()).isEqualTo(Gid.parse(read("gids", entry.index())));
            assertThat(entry.port()).isEqualTo(device.port());
            assertThat(read("gid_attrs/types", entry.index()))
                    .isEqualTo(entry.type() == GidType.ROCE_V2 ? "RoCE v2" : "IB/RoCE v1");
            assertThat(entry.networkInterfaceName()).isEqualTo(read("gid_attrs/ndevs", entry.index()));
            assertThat(NetworkInterface.getByName(entry.networkInterfaceName()).getIndex())
                    .isEqualTo(entry.networkInterfaceIndex());
        }
    }

    @Test
    void shouldHoldTheAddressesOfTheNetworkInterface() throws IOException {
        String name = device.gid().networkInterfaceName();
        List<Gid> ofInterface = NetworkInterface.getByName(name)
                .inetAddresses()
                .map(Gid::ofInetAddress)
                .toList();

        assertThat(context.gidTable(device.port())).extracting(GidEntry::gid).containsAll(ofInterface);
    }

    @Test
    void shouldRefuseAPortThatTheDeviceDoesNotHave() {
        assertThatThrownBy(() -> context.gidTable(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> context.gidTable(200)).isInstanceOf(IllegalArgumentException.class);
    }

    private String read(String kind, int index) throws IOException {
        return Files.readString(directory.resolve(kind).resolve(Integer.toString(index)))
                .strip();
    }
}
