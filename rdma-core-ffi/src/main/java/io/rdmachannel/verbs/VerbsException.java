// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.Errno;

/**
 * A call of {@code libibverbs} or {@code librdmacm} was refused. The message names the verb, the errno, what was asked
 * and what to do; {@link #verb()} and {@link #errno()} are there for programs.
 */
public final class VerbsException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** The C function. */
    private final String verb;

    /** The errno value. */
    private final int errno;

    /**
     * Makes an exception.
     *
     * @param verb the C function, such as {@code ibv_create_qp}
     * @param errno the errno value, positive; 0 when the function gives none
     * @param asked what was asked, as a phrase with its values
     * @param remedy what to do, as one or more sentences; may be empty
     */
    public VerbsException(String verb, int errno, String asked, String remedy) {
        super(message(verb, errno, asked, remedy));
        this.verb = verb;
        this.errno = errno;
    }

    /**
     * Names the function.
     *
     * @return the C function that failed
     */
    public String verb() {
        return verb;
    }

    /**
     * Gives the error number.
     *
     * @return the errno value, positive; 0 when the function gives none
     */
    public int errno() {
        return errno;
    }

    private static String message(String verb, int errno, String asked, String remedy) {
        String cause = errno == 0 ? verb + " failed" : verb + " failed with " + Errno.describe(errno);
        String sentence = cause + ": " + asked + ".";
        return remedy.isEmpty() ? sentence : sentence + " " + remedy;
    }
}
