// SPDX-License-Identifier: Apache-2.0
/**
 * What tests against a real RDMA device share: finding the device, the check that nothing leaks, a connected pair of
 * queue pairs, and waits with deadlines. Other modules get it through this module's test jar; it uses the exported API
 * only.
 */
package io.rdmachannel.testing;
