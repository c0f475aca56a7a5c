// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The symbols of errno values, as the C headers define them. */
final class ErrnoNames {
    /** Second names of values that have a more usual one. */
    private static final Set<String> ALIASES = Set.of("EWOULDBLOCK", "EDEADLOCK", "ENOTSUP");

    private static final Map<Integer, String> NAMES = Arrays.stream(libc.class.getMethods())
            .filter(method -> method.getName().matches("E[A-Z0-9]+") && method.getParameterCount() == 0)
            .filter(method -> !ALIASES.contains(method.getName()))
            .collect(Collectors.toUnmodifiableMap(ErrnoNames::value, Method::getName, (first, second) -> first));

    private ErrnoNames() {}

    static Optional<String> nameOf(int value) {
        return Optional.ofNullable(NAMES.get(value));
    }

    private static int value(Method constant) {
        try {
            return (int) constant.invoke(null);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("a public static accessor of generated code", impossible);
        }
    }
}
