// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

/**
 * A named member of a Java layout.
 *
 * @param path how C names it from the outermost structure, such as {@code wr.rdma.rkey} or {@code raw[0]}
 * @param offset bytes from the start of the outermost structure
 * @param size bytes
 */
record Member(String path, long offset, long size) {}
