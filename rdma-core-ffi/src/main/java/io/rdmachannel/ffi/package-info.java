// SPDX-License-Identifier: Apache-2.0
/**
 * The lower floor over {@code libibverbs}, {@code librdmacm} and libc: functions keep their C names and return the raw
 * result, as their man pages say; loading, errno and the lifetime of native handles are dealt with here. It is exported
 * to the sibling modules only; programs use {@code io.rdmachannel.verbs} and {@code io.rdmachannel.cm}.
 */
package io.rdmachannel.ffi;
