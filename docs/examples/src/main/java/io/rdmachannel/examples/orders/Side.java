// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

/** Buy or sell; the numbers are on the wire. */
enum Side {
    BUY(1),
    SELL(2);

    private final int number;

    Side(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static boolean isOne(int number) {
        return number == BUY.number || number == SELL.number;
    }
}
