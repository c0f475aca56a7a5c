// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

/** How what connects the two sides beside the data path has ended. */
enum ControlEnd {
    /** The peer has said that it closes in good order: its last frame is on the data path before. */
    GOODBYE,
    /** The peer has ended, in good order if its last frame is there, else not. */
    DISCONNECTED,
    /** The peer's channel has failed, and will not recover. */
    GIVEN_UP,
    /** Nothing has been heard for longer than is tolerated. */
    SILENT,
    /** Without a goodbye. */
    BROKEN
}
