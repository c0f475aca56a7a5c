// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.verbs.RdmaException;

/** Runs an example, and turns what comes out of it into an exit status. */
final class Launcher {
    static final int SUCCESS = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;

    private Launcher() {}

    /** An example, without its command line. */
    interface Program {
        /** Runs to the end; returns only when all went well. */
        void run();
    }

    /** Reads the command line into a program. */
    interface Parser {
        Program parse(String[] arguments);
    }

    static int run(String name, String usage, String[] arguments, Parser parser) {
        Program program;
        try {
            program = parser.parse(arguments);
        } catch (ExampleException misuse) {
            System.err.println(name + ": " + misuse.getMessage());
            System.err.println(usage);
            return USAGE;
        }
        try {
            program.run();
            return SUCCESS;
        } catch (ExampleException | RdmaException failure) {
            System.err.println(name + ": " + failure.getMessage());
            return FAILURE;
        }
    }
}
