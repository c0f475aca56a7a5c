// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsReaderTest {
    @TempDir
    private Path root;

    @Test
    void shouldFindNoDevicesWhereTheKernelHasNoRdma() {
        assertThat(new SysfsReader(files()).devices()).isEmpty();
    }

    @Test
    void shouldReadWhatIsThereAndDoWithoutTheRest() throws Exception {
        write("sys/class/infiniband/siw0/ports/1/state", "4: ACTIVE");
        write("sys/class/infiniband/siw0/ports/1/gids/0", "0200:0000:0000:0000:0000:0000:0000:0000");
        write("sys/module/siw/refcnt", "0");
        SysfsDevice device = new SysfsReader(files()).devices().getFirst();
        assertThat(device.driver()).isEqualTo("siw");
        assertThat(device.isSoftware()).isTrue();
        assertThat(device.node()).isEmpty();
        assertThat(device.numaNode()).isEqualTo(-1);
        SysfsPort port = device.ports().getFirst();
        assertThat(port.isActive()).isTrue();
        assertThat(port.isEthernet()).isFalse();
        assertThat(port.gids()).hasSize(1);
    }

    @Test
    void shouldSortNamesWithNumbersByNumber() throws Exception {
        for (int number = 0; number < 12; number++) {
            write("dev/infiniband/uverbs" + number, "");
        }
        assertThat(files().list("/dev/infiniband"))
                .startsWith("uverbs0", "uverbs1", "uverbs2")
                .endsWith("uverbs11");
    }

    @Test
    void shouldReadTheKernelsLists() {
        assertThat(ProcessorList.parse("0-3,8, 10-11").toString()).isEqualTo("{0, 1, 2, 3, 8, 10, 11}");
        assertThat(ProcessorList.parse("").isEmpty()).isTrue();
    }

    private SystemTree files() {
        return new SystemTree(root, Files::isWritable);
    }

    private void write(String path, String text) throws Exception {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }
}
