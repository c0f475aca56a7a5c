// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NativeAccessTest {
    @Test
    void shouldAcceptLinuxOnTheArchitectureOfTheGeneratedLayouts() {
        assertThat(NativeAccess.platformProblem("Linux", "amd64")).isEmpty();
    }

    @Test
    void shouldRefuseOtherSystemsAndArchitecturesWithTheWayOut() {
        assertThat(NativeAccess.platformProblem("Mac OS X", "x86_64"))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("Mac OS X").contains("tcp transport"));
        assertThat(NativeAccess.platformProblem("Linux", "aarch64"))
                .hasValueSatisfying(text -> assertThat(text).contains("aarch64").contains("x86-64"));
    }

    @Test
    void shouldNameTheFlagForAModuleWithoutNativeAccess() {
        Module logging = ModuleLayer.boot().findModule("java.logging").orElseThrow();

        assertThat(NativeAccess.flagProblem(logging))
                .hasValueSatisfying(text -> assertThat(text).contains("--enable-native-access=java.logging"));
    }
}
