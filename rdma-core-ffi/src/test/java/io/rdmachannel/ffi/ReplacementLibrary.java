// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_functions;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The C source of a library with every function that is needed and no optional one; none of them does anything. */
final class ReplacementLibrary {
    private static final String SUFFIX = "$handle";

    private ReplacementLibrary() {}

    static String source() {
        return Arrays.stream(ibverbs_functions.class.getMethods())
                .map(Method::getName)
                .filter(name -> name.endsWith(SUFFIX))
                .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                .filter(name -> !NativeLibrary.LIBIBVERBS.optionalSymbols().contains(name))
                .map(name -> "void *" + name + "(void) { return 0; }")
                .collect(Collectors.joining("\n"));
    }
}
