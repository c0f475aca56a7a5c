// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Puts the stand-in in place, and checks that each test leaves it as it was. */
public final class LoopbackResources implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(LoopbackResources.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        LoopbackVerbs.use();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(STORE).put(context.getUniqueId(), LoopbackFaults.live());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        LoopbackFaults.reset();
        Map<?, ?> before = context.getStore(STORE).remove(context.getUniqueId(), Map.class);
        assertThat((Map<?, ?>) LoopbackFaults.live())
                .as("objects of the stand-in after the test")
                .isEqualTo(before);
    }
}
