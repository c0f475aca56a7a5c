// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import io.rdmachannel.verbs.CompletionChannel;
import io.rdmachannel.verbs.DeviceContext;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Looks before and after a test class at what the kernel holds for RDMA devices and at the process's open files, and
 * fails the class when more is there afterwards. Skips the class, with the reason, where there is no device.
 */
public final class RdmaResources implements BeforeAllCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(RdmaResources.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        if (context.getTags().contains(LoopbackTest.TAG)) {
            LoopbackVerbs.use();
        }
        requireDevice();
        if (isNested(context)) {
            return;
        }
        warmUp();
        context.getStore(STORE).put(context.getUniqueId(), ResourceSnapshot.take());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        ResourceSnapshot before = context.getStore(STORE).remove(context.getUniqueId(), ResourceSnapshot.class);
        if (before != null) {
            requireBackTo(before);
        }
    }

    /** Fails unless everything is back; the kernel frees some things a little later. */
    static void requireBackTo(ResourceSnapshot before) {
        Deadline deadline = Deadline.in(10, TimeUnit.SECONDS);
        ResourceSnapshot after = ResourceSnapshot.take();
        while (!after.isBackTo(before) && !deadline.isOver()) {
            deadline.pause();
            after = ResourceSnapshot.take();
        }
        if (!after.isBackTo(before)) {
            Assertions.fail("resources are not back where they were before the class\nbefore:\n" + before + "\nafter:\n"
                    + after + "\ndetails:\n" + ResourceSnapshot.details());
        }
    }

    private static void requireDevice() {
        Optional<String> absence = RdmaDevice.absenceReason();
        if (absence.isPresent() && RdmaDevice.isRequired()) {
            Assertions.fail("RDMA_LAB=1 says that there is a device, but: " + absence.get());
        }
        Assumptions.assumeTrue(absence.isEmpty(), () -> "skipped: " + absence.get());
    }

    private static boolean isNested(ExtensionContext context) {
        return context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    }

    /** The first use of each opens files that stay open for the life of the process. */
    private static void warmUp() {
        try (DeviceContext context = RdmaDevice.find().open();
                CompletionChannel channel = context.createCompletionChannel()) {
            channel.await(0, TimeUnit.NANOSECONDS);
            ResourceSnapshot.take();
        }
    }
}
