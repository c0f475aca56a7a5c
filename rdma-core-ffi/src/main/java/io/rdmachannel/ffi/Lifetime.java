// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The life of one native handle: who may use it, what hangs on it, and that it is destroyed once, after its children
 * and with nobody inside a call.
 *
 * <p>There are two kinds, as with {@link java.lang.foreign.Arena}. A <em>shared</em> lifetime may be used and closed
 * by any thread and counts its users with two atomic additions a call. A <em>confined</em> lifetime belongs to one
 * thread; its owner's calls cost two plain reads, and other threads get a {@link WrongThreadException}. When the owner
 * has ended, any thread may close it.
 *
 * <p>Either way a closed handle cannot reach native code: {@link #enter} throws first, and {@link #close} waits until
 * the users that are inside have left.
 */
public final class Lifetime {
    private static final VarHandle USERS;
    private static final int CLOSING = 1 << 30;
    private static final long LEAVE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LEAVE_CHECK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Keeps what is open reachable when a program drops it: the adapter may still write to memory registered there. */
    private static final Set<Lifetime> OPEN_ROOTS = ConcurrentHashMap.newKeySet();

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(Lifetime.class, "users", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("a field of this class", impossible);
        }
    }

    private final String description;
    private final CloseOrder order;
    private final Runnable wake;
    private final Runnable destroy;
    private final List<Lifetime> parents = new CopyOnWriteArrayList<>();
    private final Set<Lifetime> children = ConcurrentHashMap.newKeySet();
    private final ReentrantLock closeLock = new ReentrantLock();
    private final boolean confined;

    private Thread owner;
    private boolean closingByOwner;
    private volatile boolean closed;
    private volatile int users;

    private Lifetime(Builder builder) {
        this.description = builder.description;
        this.order = builder.order;
        this.wake = builder.wake;
        this.destroy = builder.destroy;
        this.confined = builder.owner != null;
        this.owner = builder.owner;
        parents.addAll(builder.parents);
        parents.forEach(parent -> parent.children.add(this));
        if (parents.isEmpty()) {
            OPEN_ROOTS.add(this);
        }
    }

    /**
     * Starts to describe a lifetime.
     *
     * @param description how messages name the object, such as {@code completion queue of rxe0}
     * @param order when a closing parent closes it among its other children
     * @return a builder
     */
    public static Builder of(String description, CloseOrder order) {
        return new Builder(description, order);
    }

    /**
     * Enters a call on the data path; {@link #exit} must follow.
     *
     * @throws IllegalStateException if closed
     * @throws WrongThreadException if confined to another thread
     */
    public void enter() {
        if (confined) {
            requireOwner();
        } else {
            acquire();
        }
    }

    /** Leaves a call on the data path. */
    public void exit() {
        if (!confined) {
            release();
        }
    }

    /**
     * Counts a user of any thread in, also of a confined handle: for calls that only need it not to go away, such as
     * the creation of a child. {@link #release} must follow.
     *
     * @throws IllegalStateException if closed
     */
    public void acquire() {
        int before = (int) USERS.getAndAdd(this, 1);
        if ((before & CLOSING) != 0) {
            USERS.getAndAdd(this, -1);
            throw closedException();
        }
    }

    /** Counts a user out. */
    public void release() {
        USERS.getAndAdd(this, -1);
    }

    /**
     * Says whether the handle has been destroyed.
     *
     * @return true once a close has succeeded
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Gives a confined handle to another thread. The hand-over itself must be visible to the new owner by the usual
     * means (starting the thread, a queue, a lock).
     *
     * @param newOwner the thread that may use it from now on
     * @throws WrongThreadException if the caller is not the owner
     * @throws IllegalStateException if closed, or if the handle is shared and so has no owner
     */
    public void handOver(Thread newOwner) {
        Objects.requireNonNull(newOwner, "newOwner");
        if (!confined) {
            throw new IllegalStateException(description + " is shared by all threads and has no owner to change");
        }
        requireOwner();
        owner = newOwner;
    }

    /**
     * Makes this a parent of a lifetime that has begun already, so that it is closed before this. The caller holds both
     * open.
     *
     * @param child what has come to depend on this
     */
    public void adopt(Lifetime child) {
        if (children.add(child)) {
            child.parents.add(this);
        }
    }

    /**
     * Takes an adoption back.
     *
     * @param child what no longer depends on this; the caller holds it open
     */
    public void disown(Lifetime child) {
        child.parents.remove(this);
        children.remove(child);
    }

    /**
     * Closes the children in their order, then destroys the handle; the second and later calls do nothing. It waits
     * until the calls that are inside have returned, at most 30 s.
     *
     * @throws WrongThreadException if this or a child is confined to another living thread; nothing is closed then
     * @throws IllegalStateException if a call stays inside too long; the handle is usable again then
     * @throws RuntimeException what the destroyer threw; the handle is usable again then, and close can be repeated
     */
    public void close() {
        closeLock.lock();
        try {
            if (closed || isClosing()) {
                return;
            }
            requireClosable();
            beginClosing();
            try {
                awaitUsersGone();
                closeChildren();
                destroy.run();
            } catch (RuntimeException failure) {
                reopen();
                throw failure;
            }
            closed = true;
            parents.forEach(parent -> parent.children.remove(this));
            OPEN_ROOTS.remove(this);
        } finally {
            closeLock.unlock();
        }
    }

    @Override
    public String toString() {
        return description;
    }

    private void requireOwner() {
        if (owner != Thread.currentThread()) {
            throw wrongThread();
        }
        if (closingByOwner) {
            throw closedException();
        }
    }

    private boolean isClosing() {
        return (users & CLOSING) != 0;
    }

    /** An owner that has not begun yet may begin at any time, so only one that has ended gives the handle up. */
    private void requireClosable() {
        if (confined && owner != Thread.currentThread() && owner.getState() != Thread.State.TERMINATED) {
            throw wrongThread();
        }
        for (Lifetime child : children) {
            child.requireClosable();
        }
    }

    private void beginClosing() {
        USERS.getAndAdd(this, CLOSING);
        closingByOwner = true;
    }

    private void reopen() {
        closingByOwner = false;
        USERS.getAndAdd(this, -CLOSING);
    }

    private void awaitUsersGone() {
        long start = System.nanoTime();
        while (users != CLOSING) {
            if (System.nanoTime() - start > LEAVE_LIMIT_NANOS) {
                throw new IllegalStateException(description + " was not closed: " + (users - CLOSING)
                        + " calls are still inside it after 30 s. Let them return, then close again.");
            }
            wake.run();
            LockSupport.parkNanos(LEAVE_CHECK_NANOS);
        }
    }

    private void closeChildren() {
        List<Lifetime> ordered = new ArrayList<>(children);
        ordered.sort(Comparator.comparing(child -> child.order));
        RuntimeException first = null;
        for (Lifetime child : ordered) {
            try {
                child.close();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(description + (closed ? " is closed" : " is being closed"));
    }

    private WrongThreadException wrongThread() {
        return new WrongThreadException(description + " is confined to thread '" + owner.getName()
                + "' and was used by thread '" + Thread.currentThread().getName()
                + "'. Call from its owner, hand it over first, or create it shared.");
    }

    /** Describes a lifetime before it begins. */
    public static final class Builder {
        private final String description;
        private final CloseOrder order;
        private final List<Lifetime> parents = new ArrayList<>();
        private Runnable wake = () -> {};
        private Runnable destroy = () -> {};
        private Thread owner;

        private Builder(String description, CloseOrder order) {
            this.description = Objects.requireNonNull(description, "description");
            this.order = Objects.requireNonNull(order, "order");
        }

        /**
         * Names a parent, which closes this handle before itself.
         *
         * @param parent an open lifetime that the caller has acquired
         * @return this
         */
        public Builder childOf(Lifetime parent) {
            parents.add(parent);
            return this;
        }

        /**
         * Confines the handle to one thread.
         *
         * @param thread the only thread that may use it, or null to share it among all threads
         * @return this
         */
        public Builder ownedBy(Thread thread) {
            this.owner = thread;
            return this;
        }

        /**
         * Sets what makes blocked users return when closing begins.
         *
         * @param action called during close as long as a user is inside; must not block
         * @return this
         */
        public Builder wakingBy(Runnable action) {
            this.wake = action;
            return this;
        }

        /**
         * Sets how the handle is destroyed.
         *
         * @param action the native call, which throws when it is refused
         * @return this
         */
        public Builder destroyedBy(Runnable action) {
            this.destroy = action;
            return this;
        }

        /**
         * Begins the lifetime and hangs it on its parents.
         *
         * @return the open lifetime
         */
        public Lifetime begin() {
            return new Lifetime(this);
        }
    }
}
