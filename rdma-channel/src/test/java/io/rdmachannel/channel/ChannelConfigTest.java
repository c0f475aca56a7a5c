// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChannelConfigTest {
    @ParameterizedTest
    @EnumSource
    void shouldReadEverySettingFromProperties(ChannelSetting setting) {
        Properties properties = new Properties();
        properties.setProperty(ChannelConfig.PREFIX + setting.key(), setting.defaultText());
        properties.setProperty("something.else", "x");
        assertThat(ChannelConfig.fromProperties(properties).build()).hasToString("channel configuration []");
    }

    @Test
    void shouldReadWhatIsSetAndLetTheProgramChangeIt() {
        Properties properties = new Properties();
        properties.setProperty("io.rdmachannel.channel.receiveDepth", " 32 ");
        properties.setProperty("io.rdmachannel.channel.transport", "tcp");
        properties.setProperty("io.rdmachannel.channel.lingerTimeout", "PT0.5S");
        ChannelConfig config =
                ChannelConfig.fromProperties(properties).sendDepth(64).build();
        assertThat(config.receiveDepth()).isEqualTo(32);
        assertThat(config.sendDepth()).isEqualTo(64);
        assertThat(config.transport()).isEqualTo(Transport.TCP);
        assertThat(config.lingerTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.maxMessageBytes()).isEqualTo(64 << 20);
        assertThat(config)
                .hasToString(
                        "channel configuration [transport=TCP, receiveDepth=32, sendDepth=64, lingerTimeout=PT0.5S]");
    }

    @Test
    void shouldNameSettingValueAndRangeOfWhatIsWrong() {
        assertThatThrownBy(() -> ChannelConfig.builder().receiveDepth(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("receiveDepth is 7, and must be a number from 8 to 16384");
        assertThatThrownBy(() -> read("rdma.port", "256")).hasMessageContaining("from 0 to 255");
        assertThatThrownBy(() -> read("receiveBytes", "many")).hasMessageContaining("\"many\"");
        assertThatThrownBy(() -> read("connectTimeout", "10")).hasMessageContaining("PT10S");
        assertThatThrownBy(() -> read("transport", "carrier pigeon")).hasMessageContaining("[AUTO, RDMA, TCP]");
        assertThatThrownBy(() -> ChannelConfig.builder().lingerTimeout(Duration.ofSeconds(-1)))
                .hasMessageContaining("lingerTimeout");
        assertThatThrownBy(() -> read("recieveBytes", "100"))
                .hasMessageContaining("recieveBytes")
                .hasMessageContaining("receiveBytes, receiveDepth");
    }

    @Test
    void shouldNameBothValuesThatContradictEachOther() {
        ChannelConfigBuilder builder =
                ChannelConfig.builder().connectTimeout(Duration.ofSeconds(1)).handshakeTimeout(Duration.ofSeconds(2));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT1S")
                .hasMessageContaining("PT2S");
    }

    private static void read(String key, String value) {
        Properties properties = new Properties();
        properties.setProperty(ChannelConfig.PREFIX + key, value);
        ChannelConfig.fromProperties(properties);
    }
}
