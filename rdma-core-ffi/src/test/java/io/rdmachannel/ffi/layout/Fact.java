// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

/**
 * One number that Java states and C can confirm.
 *
 * @param subject what states it on the Java side
 * @param expression the C expression that must give the same number
 * @param value the number on the Java side
 * @param growing whether C's number may also be larger
 */
record Fact(String subject, String expression, long value, boolean growing) {
    static Fact exact(String subject, String expression, long value) {
        return new Fact(subject, expression, value, false);
    }

    boolean agreesWith(long measured) {
        return growing ? measured >= value : measured == value;
    }
}
