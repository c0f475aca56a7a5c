// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

/** Looks at one thing that goes wrong in practice. Has no state. */
public interface Check {
    /**
     * Names the check, for tables and for programs that read the JSON.
     *
     * @return lower-case words, the same for ever
     */
    String name();

    /**
     * Looks. Changes nothing on the machine.
     *
     * @param environment the machine to look at
     * @return what it found
     * @throws Exception when it could not look, which {@link Doctor} reports as UNKNOWN
     */
    Finding run(Environment environment) throws Exception;
}
