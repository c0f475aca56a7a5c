// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static org.assertj.core.api.Assertions.assertThat;

/** What tests of the lower floor need of the machine. */
final class Fixtures {
    private Fixtures() {}

    /** The build starts its tests with native access, so its absence is a fault of the build and no reason to skip. */
    static void requireNativeAccess() {
        assertThat(NativeAccess.problem()).isEmpty();
    }
}
