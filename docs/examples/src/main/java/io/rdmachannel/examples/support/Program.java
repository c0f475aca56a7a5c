// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

import io.rdmachannel.verbs.RdmaException;
import java.io.PrintStream;

/** One of the examples, or one role of it. */
public interface Program {
    /** The exit status of a program that went well. */
    int OK = 0;

    /** The exit status of a program that failed. */
    int FAILED = 1;

    /** The exit status of a command line that is wrong. */
    int USAGE = 2;

    /**
     * Runs to the end; blocks; returns only when all went well, and leaves nothing open.
     *
     * @param out where results go
     * @param arguments the command line
     * @throws InterruptedException if interrupted
     */
    void run(PrintStream out, String... arguments) throws InterruptedException;

    /**
     * Runs a program, and turns what comes out of it into an exit status.
     *
     * @param program the program
     * @param usage what is printed when the command line is wrong
     * @param arguments the command line
     * @return the exit status
     */
    static int launch(Program program, String usage, String... arguments) {
        try {
            program.run(System.out, arguments);
            return OK;
        } catch (UsageException wrong) {
            System.err.println(wrong.getMessage());
            System.err.println(usage);
            return USAGE;
        } catch (ExampleException | RdmaException failure) {
            System.err.println(failure.getMessage());
            return FAILED;
        } catch (InterruptedException interrupted) {
            System.err.println("interrupted");
            return FAILED;
        }
    }
}
