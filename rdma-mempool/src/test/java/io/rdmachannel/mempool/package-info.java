// SPDX-License-Identifier: Apache-2.0
/** Tests of the pool; those whose names end in IT need a device. */
package io.rdmachannel.mempool;
