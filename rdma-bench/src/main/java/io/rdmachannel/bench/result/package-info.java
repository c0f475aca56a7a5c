// SPDX-License-Identifier: Apache-2.0
/** What a measurement has found, and how it is written: as a table, CSV and JSON. */
package io.rdmachannel.bench.result;
