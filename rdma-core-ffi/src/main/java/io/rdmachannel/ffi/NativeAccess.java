// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.util.Locale;
import java.util.Optional;

/**
 * Whether this Java machine lets the module call native code, and what to do when it does not.
 *
 * <p>Asked before any restricted method is called, so that a missing command-line flag is a sentence and neither a
 * warning of the Java machine nor a failed class initialisation.
 */
public final class NativeAccess {
    private NativeAccess() {}

    /**
     * Says why native code cannot be called from here.
     *
     * @return the reason with its remedy, or empty when native calls are possible
     */
    public static Optional<String> problem() {
        return platformProblem(System.getProperty("os.name"), System.getProperty("os.arch"))
                .or(() -> flagProblem(NativeAccess.class.getModule()));
    }

    /**
     * Returns when native code can be called.
     *
     * @throws IllegalStateException with the reason and the remedy when it cannot
     */
    public static void ensureEnabled() {
        problem().ifPresent(text -> {
            throw new IllegalStateException(text);
        });
    }

    static Optional<String> platformProblem(String system, String architecture) {
        // The generated layouts are those of x86-64: glibc's mutexes, inside verbs structures, have other sizes
        // elsewhere.
        boolean generatedFor = architecture.equals("amd64") || architecture.equals("x86_64");
        if (system.toLowerCase(Locale.ROOT).contains("linux") && generatedFor) {
            return Optional.empty();
        }
        return Optional.of("RDMA verbs need Linux on x86-64, and this is " + system + " on " + architecture
                + ". Run there, or choose the tcp transport.");
    }

    static Optional<String> flagProblem(Module module) {
        if (module.isNativeAccessEnabled()) {
            return Optional.empty();
        }
        String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return Optional.of("This Java machine was started without native access for " + name
                + ". Start it with --enable-native-access=" + name
                + " (or put the line 'Enable-Native-Access: ALL-UNNAMED' into the started jar's manifest).");
    }
}
