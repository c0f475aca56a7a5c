// SPDX-License-Identifier: Apache-2.0
/** Results as one HTML page with plots, which needs nothing else. */
package io.rdmachannel.bench.report;
