// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceNodeTest {
    @TempDir
    Path directory;

    @Test
    void shouldBePresentForAsLongAsItIsTheSame() throws IOException {
        Path path = Files.createDirectory(directory.resolve("uverbs0"));
        DeviceNode node = DeviceNode.at(path);
        assertThat(node.isPresent()).isTrue();

        Path older = Files.move(path, directory.resolve("older"));
        assertThat(node.isPresent()).isFalse();
        Files.createDirectory(path);
        assertThat(node.isPresent()).isFalse();
        assertThat(DeviceNode.at(path).isPresent()).isTrue();
        assertThat(older).exists();
    }

    @Test
    void shouldBelieveInADeviceThatCouldNeverBeSeen() {
        assertThat(DeviceNode.at(directory.resolve("nothing")).isPresent()).isTrue();
    }
}
