// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.Lifetime;
import java.util.ArrayList;
import java.util.List;

/** The objects that a new queue pair will hang on, held open while it is made. */
final class Held implements AutoCloseable {
    private final List<Lifetime> lifetimes = new ArrayList<>();

    private Held() {}

    static Held of(ProtectionDomain domain, QueuePairConfig config) {
        requireSameDevice(domain, config);
        Held held = new Held();
        try {
            held.hold(domain.lifetime());
            held.hold(config.sendCompletions().lifetime());
            if (config.receiveCompletions() != config.sendCompletions()) {
                held.hold(config.receiveCompletions().lifetime());
            }
            if (config.sharedReceives() != null) {
                held.hold(config.sharedReceives().lifetime());
            }
            return held;
        } catch (RuntimeException closed) {
            held.close();
            throw closed;
        }
    }

    List<Lifetime> lifetimes() {
        return lifetimes;
    }

    @Override
    public void close() {
        lifetimes.forEach(Lifetime::release);
    }

    private void hold(Lifetime lifetime) {
        lifetime.acquire();
        lifetimes.add(lifetime);
    }

    private static void requireSameDevice(ProtectionDomain domain, QueuePairConfig config) {
        DeviceContext context = domain.context();
        SharedReceiveQueue receives = config.sharedReceives();
        boolean foreign = config.sendCompletions().context() != context
                || config.receiveCompletions().context() != context
                || (receives != null && receives.protectionDomain() != domain);
        if (foreign) {
            throw new IllegalArgumentException("a queue pair of " + domain + " needs completion queues of the same"
                    + " context and a shared receive queue of the same protection domain");
        }
    }
}
