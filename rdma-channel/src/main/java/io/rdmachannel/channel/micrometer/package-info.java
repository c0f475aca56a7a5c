// SPDX-License-Identifier: Apache-2.0
/**
 * The counts of channels and pollers as meters of Micrometer. The only package that needs Micrometer, which is an
 * optional dependency: whoever uses it adds {@code io.micrometer:micrometer-core}.
 */
package io.rdmachannel.channel.micrometer;
