// SPDX-License-Identifier: Apache-2.0
/**
 * A replicated log: a leader writes records into the memory of two followers, which apply them in order and report
 * how far they are. A record is committed when a majority has it. It shows one-sided writes with immediate, a ring
 * in exposed memory, flow control over it, and two channels on one poller.
 *
 * <p>It shows how bytes travel, and is no consensus: there is one leader for ever, and nothing is kept on disk.
 *
 * <p>{@link io.rdmachannel.examples.replicatedlog.ReplicatedLog} is the program, {@code Leader} and {@code
 * Follower} are its sides, {@code RecordLayout} and {@code RingPosition} are what both know of the ring.
 */
package io.rdmachannel.examples.replicatedlog;
