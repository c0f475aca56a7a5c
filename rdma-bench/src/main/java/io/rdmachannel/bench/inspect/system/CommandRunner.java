// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

/** Runs the small programs of the system that tell what files do not. */
@FunctionalInterface
public interface CommandRunner {
    /**
     * Runs a command to its end, or to a deadline of the runner's.
     *
     * @param command the program and its arguments; no shell is involved
     * @return what it left; a program that is missing or too slow is a result too
     */
    CommandResult run(String... command);
}
