// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static java.util.Map.entry;

import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.generated.libc.libc;
import io.rdmachannel.verbs.VerbsException;
import java.util.Map;

/** Turns refusals of librdmacm into exceptions that say what to do. */
final class Refusals {
    private static final String NOT_ALLOWED = "This user may not: check the rights of /dev/infiniband/rdma_cm; ports"
            + " below 1024 need CAP_NET_BIND_SERVICE.";
    private static final String NO_ROUTE = "This host has no route to that address.";
    private static final String NO_DEVICE_NODE = "Check that module rdma_ucm is loaded (modprobe rdma_ucm) and that"
            + " /dev/infiniband/rdma_cm exists in this container.";

    private static final Map<Integer, String> REMEDIES = Map.ofEntries(
            entry(
                    libc.ENODEV(),
                    "No RDMA device has that address, or a way to it: take an address of a network interface that"
                            + " carries RDMA (rdma link show, ip address), not the loopback."),
            entry(libc.ENOENT(), NO_DEVICE_NODE),
            entry(libc.ENOSYS(), NO_DEVICE_NODE),
            entry(
                    libc.EADDRINUSE(),
                    "Another identifier of this host holds that port: take another port, or 0 for any."),
            entry(libc.EADDRNOTAVAIL(), "No network interface of this host has that address."),
            entry(libc.EACCES(), NOT_ALLOWED),
            entry(libc.EPERM(), NOT_ALLOWED),
            entry(libc.ENETUNREACH(), NO_ROUTE),
            entry(libc.EHOSTUNREACH(), NO_ROUTE),
            entry(
                    libc.ETIMEDOUT(),
                    "Nobody answered in time: check the address, the link and the firewall (UDP 4791 for RoCE), or"
                            + " allow more time."),
            entry(libc.ECONNREFUSED(), "The peer rejected the connection, or nobody listens at that address and port."),
            entry(libc.EMFILE(), "Raise the limit on open files (ulimit -n)."),
            entry(
                    libc.EINVAL(),
                    "The call does not fit the state of the identifier, or a value is beyond what the device can do;"
                            + " the order of the calls is in the description of package io.rdmachannel.cm."));

    private Refusals() {}

    /** All functions of librdmacm return 0, or -1 with errno set. */
    static void check(String verb, int result, String asked) {
        if (result != 0) {
            throw refused(verb, asked);
        }
    }

    /** The exception for the call of this thread that has just failed. */
    static VerbsException refused(String verb, String asked) {
        return of(verb, Errno.captured(), asked);
    }

    static VerbsException of(String verb, int errno, String asked) {
        return new VerbsException(verb, errno, asked, REMEDIES.getOrDefault(errno, ""));
    }
}
