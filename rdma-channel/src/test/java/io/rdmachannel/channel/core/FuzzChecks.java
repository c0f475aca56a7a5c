// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must not happen whatever a peer sends: more memory than the limits allow, or a line of level ERROR, which is how
 * the library tells of an exception that nobody foresaw. To be made before any class of the library is used.
 */
final class FuzzChecks {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path ERRORS = logErrorsToFile();

    /** What is done with one input. */
    interface Input {
        void run() throws IOException;
    }

    private final boolean allThreads;

    private FuzzChecks(boolean allThreads) {
        this.allThreads = allThreads;
    }

    /** Counts what the calling thread allocates. */
    static FuzzChecks ofThisThread() {
        return new FuzzChecks(false);
    }

    /** Counts what all threads allocate: virtual threads are not counted one by one. */
    static FuzzChecks ofAllThreads() {
        return new FuzzChecks(true);
    }

    /**
     * Does what an input wants. When too much is allocated it is done once more: the first time classes are loaded,
     * which takes memory, too.
     *
     * @param limit how many bytes of heap it may take, garbage included
     */
    void run(long limit, Input input) throws IOException {
        long taken = allocatedBy(input);
        if (taken > limit) {
            taken = allocatedBy(input);
        }
        if (taken > limit) {
            throw new AssertionError(taken + " bytes were allocated; the limit for this input is " + limit);
        }
    }

    private long allocatedBy(Input input) throws IOException {
        long loggedBefore = logged();
        long before = allocated();
        input.run();
        long taken = allocated() - before;
        if (logged() != loggedBefore) {
            String all = Files.readString(ERRORS);
            throw new AssertionError(
                    "an exception that nobody foresaw was logged:\n" + all.substring((int) loggedBefore));
        }
        return taken;
    }

    private long allocated() {
        return allThreads ? THREADS.getTotalThreadAllocatedBytes() : THREADS.getCurrentThreadAllocatedBytes();
    }

    private static long logged() {
        return ERRORS.toFile().length();
    }

    /** Sets SLF4J's simple logger up, and makes sure that it was not too late for that. */
    private static Path logErrorsToFile() {
        try {
            Path file = Files.createTempFile("rdma-channel-fuzz", ".log");
            file.toFile().deleteOnExit();
            System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
            System.setProperty("org.slf4j.simpleLogger.logFile", file.toString());
            Logger logger = LoggerFactory.getLogger(FuzzChecks.class);
            logger.error("the first line");
            if (Files.size(file) == 0) {
                throw new IllegalStateException(
                        "the log was begun elsewhere: run fuzz targets in a process of their own");
            }
            return file;
        } catch (IOException noFile) {
            throw new IllegalStateException("no file for the log", noFile);
        }
    }
}
