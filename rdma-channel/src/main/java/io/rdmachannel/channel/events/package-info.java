// SPDX-License-Identifier: Apache-2.0
/**
 * What channels tell the JDK's Flight Recorder. Nothing here costs anything unless a recording wants it; names and
 * fields are documented in docs/observability.md.
 */
package io.rdmachannel.channel.events;
