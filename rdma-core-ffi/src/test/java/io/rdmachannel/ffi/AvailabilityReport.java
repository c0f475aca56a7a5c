// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import io.rdmachannel.cm.ConnectionManager;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.Verbs;

/** Run in a Java machine of its own: prints the state of the libraries, and what a program gets that goes on anyway. */
final class AvailabilityReport {
    private AvailabilityReport() {}

    public static void main(String[] arguments) {
        for (NativeLibrary library : NativeLibrary.values()) {
            System.out.println(library + (library.isAvailable() ? " available" : " unavailable"));
            library.problem().ifPresent(System.out::println);
        }
        boolean optional = NativeLibrary.LIBIBVERBS.has("ibv_reg_mr_iova2");
        System.out.println("ibv_reg_mr_iova2 " + (optional ? "there" : "missing"));
        System.out.println("calling a missing function: " + outcome(() -> NativeLibrary.LIBIBVERBS.symbol("ibv_none")));
        System.out.println("verbs: " + outcome(Verbs::ensureAvailable));
        System.out.println("connection manager: " + outcome(ConnectionManager::ensureAvailable));
        if (!Verbs.isAvailable()) {
            System.out.println("devices: " + outcome(Device::list));
        }
    }

    private static String outcome(Runnable action) {
        try {
            action.run();
            return "available";
        } catch (Throwable thrown) {
            return thrown.getClass().getSimpleName();
        }
    }
}
