// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** How the bytes travel. */
public enum Transport {
    /** RDMA when both sides can, else TCP; the reason for falling back is logged and kept. */
    AUTO,
    /** RDMA or nothing. */
    RDMA,
    /** TCP, also where RDMA would be possible. Needs no native library. */
    TCP
}
