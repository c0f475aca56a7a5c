// SPDX-License-Identifier: Apache-2.0
/**
 * What tests against an RDMA device share: finding the device, the check that nothing leaks, a connected pair of queue
 * pairs, waits with deadlines; and the stand-in for the verbs library, with the faults that it can be told. Other modules
 * add this folder to their test sources; it uses the exported API only.
 */
package io.rdmachannel.testing;
