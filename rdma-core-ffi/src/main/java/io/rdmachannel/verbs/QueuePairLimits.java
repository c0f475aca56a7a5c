// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.ArrayList;
import java.util.List;

/** Compares what was asked of a refused queue pair with what the device allows. */
final class QueuePairLimits {
    private QueuePairLimits() {}

    static String explain(DeviceContext context, QueuePairConfig config) {
        DeviceAttributes.QueueLimits limits = context.attributes().queueLimits();
        QueuePairCapabilities asked = config.capabilities();
        List<String> over = new ArrayList<>();
        compare(over, "send requests", asked.maxSendRequests(), limits.maxWorkRequests());
        compare(over, "receive requests", asked.maxReceiveRequests(), limits.maxWorkRequests());
        compare(over, "send elements", asked.maxSendScatterGather(), limits.maxScatterGather());
        compare(over, "receive elements", asked.maxReceiveScatterGather(), limits.maxScatterGather());
        if (!over.isEmpty()) {
            return "Over the device's limits: " + String.join("; ", over) + ". Ask for less.";
        }
        return "The sizes asked for are within the limits that the device reports. It reports none for inline bytes:"
                + " try fewer than " + asked.maxInlineBytes()
                + ". ENOMEM: see also the limit on locked memory (ulimit -l).";
    }

    private static void compare(List<String> over, String what, long asked, long limit) {
        if (asked > limit) {
            over.add(asked + " " + what + " where " + limit + " are allowed");
        }
    }
}
