// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/**
 * Receive buffers that all channels of a poller take from, so that an idle channel costs few of them. A plain value.
 *
 * <p>Each channel can always receive {@value #GUARANTEED} messages at once, and up to its {@code receiveDepth} while
 * others leave room. What a peer may send is never more than there are buffers, so no message waits for one in the
 * device.
 *
 * @param channels how many channels there may be at once, for each transport and device
 * @param receives how many buffers there are, from {@value #GUARANTEED} for each channel to {@value #RECEIVES_MAX};
 *     what is above that minimum goes to the channels that receive most
 * @param receiveBytes the size of each, from 64 to 16,777,216 bytes; counts instead of {@link
 *     ChannelConfig#receiveBytes()}
 */
public record SharedReceives(int channels, int receives, int receiveBytes) {
    /** How many messages each channel can receive at once, whatever the others do. */
    public static final int GUARANTEED = 8;

    /** The most buffers that can be shared. */
    public static final int RECEIVES_MAX = 32_768;

    private static final int RECEIVE_BYTES_MIN = 64;
    private static final int RECEIVE_BYTES_MAX = 1 << 24;

    /** Checks the values. */
    public SharedReceives {
        if (channels < 1 || receives < (long) GUARANTEED * channels || receives > RECEIVES_MAX) {
            throw new IllegalArgumentException("channels is " + channels + " and receives is " + receives
                    + "; at least 1 channel is possible, " + GUARANTEED + " receives for each channel are needed, and "
                    + RECEIVES_MAX + " receives are possible. Spread more channels over more pollers");
        }
        if (receiveBytes < RECEIVE_BYTES_MIN || receiveBytes > RECEIVE_BYTES_MAX) {
            throw new IllegalArgumentException("receiveBytes is " + receiveBytes + "; " + RECEIVE_BYTES_MIN + " to "
                    + RECEIVE_BYTES_MAX + " are possible");
        }
    }
}
