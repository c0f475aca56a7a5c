// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.util.List;

/** A library with generated classes: its package, its umbrella header and its symbol lists. */
enum ProbedLibrary {
    IBVERBS("ibverbs", "ibverbs_constants", "ibverbs_functions", "libibverbs-dev"),
    RDMACM("rdmacm", "rdmacm_constants", "rdmacm_functions", "librdmacm-dev"),
    LIBC("libc", "libc", "libc", "linux-libc-dev");

    private static final String GENERATED = "io.rdmachannel.ffi.generated.";

    private final String stem;
    private final String constants;
    private final String functions;
    private final String headerPackages;

    ProbedLibrary(String stem, String constants, String functions, String headerPackages) {
        this.stem = stem;
        this.constants = constants;
        this.functions = functions;
        this.headerPackages = headerPackages;
    }

    String stem() {
        return stem;
    }

    String javaPackage() {
        return GENERATED + stem;
    }

    String constantsClass() {
        return javaPackage() + "." + constants;
    }

    String functionsClass() {
        return javaPackage() + "." + functions;
    }

    String umbrellaHeader() {
        return stem + "-umbrella.h";
    }

    /** What apt has to install, beside libc6-dev, for the umbrella header to compile. */
    String headerPackages() {
        return headerPackages;
    }

    List<String> symbolFiles() {
        return constants.equals(functions)
                ? List.of(stem + ".txt")
                : List.of(stem + "-types.txt", stem + "-functions.txt");
    }
}
