// SPDX-License-Identifier: Apache-2.0
/** Our measurements beside those of perftest's C programs, in turns on the same device. */
package io.rdmachannel.bench.compare;
