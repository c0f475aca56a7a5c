// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.verbs.AsyncEventType;
import io.rdmachannel.verbs.WorkCompletionStatus;

/** Says what a completion with an error means, for people. */
final class CompletionFailure {
    private CompletionFailure() {}

    /**
     * Of the completion that broke a link.
     *
     * @param rawStatus as the device reported it
     * @param vendorError the vendor's number
     * @param what the work that failed, as a phrase
     */
    static ChannelException of(int rawStatus, long vendorError, String what) {
        WorkCompletionStatus status = WorkCompletionStatus.of(rawStatus);
        return new ChannelException(
                reason(status),
                what + " ended with " + status + " (status " + rawStatus + ", vendor error " + vendorError + "): "
                        + hint(status));
    }

    /** Of a queue pair that went to its error state without a completion that says why. */
    static ChannelException withoutCause(String link) {
        return new ChannelException(
                Reason.TRANSPORT,
                link + " flushes its work, and no completion says why: the device has moved the queue pair to ERROR."
                        + " Usually the peer tried an access that this side refused (a revoked region, a wrong range),"
                        + " or the device or its port failed; the peer's error and the kernel's log tell more."
                        + " Connect anew.");
    }

    /** Of a receive that has completed while an older one has not. */
    static ChannelException ofLostReceive(String link) {
        return new ChannelException(
                Reason.TRANSPORT,
                "a receive of " + link + " has completed before an older one: the device has lost a completion, as it"
                        + " does when the completion queue overruns. Connect anew.");
    }

    /** Of a completion queue that cannot be polled, or told to notify, any more. */
    static ChannelException ofQueue(String link, int result) {
        return new ChannelException(
                Reason.TRANSPORT,
                link + " is lost: its completion queue failed with " + result + " when it was polled or armed, as after"
                        + " an overrun or the removal of the device. Connect anew, for which the device is opened"
                        + " again; if it comes back, raise completionQueueCapacity of the PollerConfig.");
    }

    /** Of something that the device has told outside the order of work. */
    static ChannelException ofEvent(String link, AsyncEventType type) {
        String advice = type == AsyncEventType.QUEUE_PAIR_ACCESS_ERROR
                ? "the peer tried an access that this side refused: a revoked region, a wrong range or right."
                : "the device or a queue of it has failed; the kernel's log tells more. Connect anew.";
        return new ChannelException(Reason.TRANSPORT, link + " is lost: its device tells " + type + ": " + advice);
    }

    /** Of a device that the kernel does not show any more. */
    static ChannelException ofRemoval(String link) {
        return new ChannelException(
                Reason.TRANSPORT,
                link + " is lost: its device is being removed. Connect anew when there is one again.");
    }

    private static Reason reason(WorkCompletionStatus status) {
        return switch (status) {
            case REMOTE_ACCESS_ERROR, REMOTE_INVALID_REQUEST_ERROR -> Reason.REMOTE_ACCESS;
            case LOCAL_LENGTH_ERROR -> Reason.PROTOCOL;
            case RETRY_EXCEEDED_ERROR, RECEIVER_NOT_READY_RETRY_EXCEEDED_ERROR -> Reason.PATH_LOST;
            default -> Reason.TRANSPORT;
        };
    }

    private static String hint(WorkCompletionStatus status) {
        return switch (status) {
            case REMOTE_ACCESS_ERROR ->
                "the peer's memory protection refused. The region has been revoked, lacks the right, or is shorter than"
                        + " the range that was named; ask the peer for its present regions.";
            case REMOTE_INVALID_REQUEST_ERROR ->
                "the peer's adapter refused the request as such: an operation that it does not permit, a message larger"
                        + " than its receive buffer, or more reads than it granted.";
            case RETRY_EXCEEDED_ERROR ->
                "the peer's adapter has not acknowledged within ackTimeout and retryCount. The peer's process or host"
                        + " has ended, the path is down, or packets of this size or traffic class do not get through"
                        + " (check MTU, firewall for UDP 4791, PFC).";
            case RECEIVER_NOT_READY_RETRY_EXCEEDED_ERROR ->
                "the peer had no receive posted for this, although it gave a credit.";
            case LOCAL_LENGTH_ERROR ->
                "more arrived than the receive buffer holds: the peer does not keep to the receiveBytes agreed upon.";
            case LOCAL_PROTECTION_ERROR, LOCAL_ACCESS_ERROR ->
                "the memory that the work names is not covered by its key: it was released, or closed, too early.";
            case LOCAL_QUEUE_PAIR_OPERATION_ERROR ->
                "the local adapter could not carry it out: no route to the peer any more, a receive that is too small,"
                        + " or memory whose registration is gone.";
            case REMOTE_OPERATION_ERROR, REMOTE_ABORTED_ERROR ->
                "the peer's adapter failed while it carried the request out; look at the peer's log.";
            case FATAL_ERROR -> "the device itself failed; close everything on it, and open it again.";
            default -> "connect anew; when it comes back, suspect driver or firmware, and the vendor error tells more.";
        };
    }
}
