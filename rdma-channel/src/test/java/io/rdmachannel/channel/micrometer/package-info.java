// SPDX-License-Identifier: Apache-2.0
/** Tests of the meters. */
package io.rdmachannel.channel.micrometer;
