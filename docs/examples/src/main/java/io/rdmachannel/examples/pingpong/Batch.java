// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs one ping-pong after another in one process, where the start of a JVM takes longer than all of them: each line of
 * standard input is a command line of {@link Main}, and after each run a line {@code status N} is printed.
 */
public final class Batch {
    private Batch() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments none
     * @throws IOException if standard input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int status = Main.run(System.out, System.out, line.strip().split(" +"));
            System.out.println("status " + status);
        }
    }
}
