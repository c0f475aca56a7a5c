// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * Calls, by a name for messages, that must each throw an exception of one kind. All are made before the test fails.
 * Not by soft assertions, which generate classes: on the lab's emulated processor that alone takes half a minute.
 */
final class ExpectedFailures {
    private final Map<String, ThrowingCallable> calls = new LinkedHashMap<>();

    ExpectedFailures of(String name, ThrowingCallable call) {
        calls.put(name, call);
        return this;
    }

    void areAll(Class<? extends Throwable> kind) {
        List<String> others = new ArrayList<>();
        calls.forEach((name, call) -> {
            Throwable thrown = catchThrowable(call);
            if (!kind.isInstance(thrown)) {
                others.add(name + ": " + thrown);
            }
        });
        assertThat(others)
                .as("calls that did not throw a %s", kind.getSimpleName())
                .isEmpty();
    }
}
