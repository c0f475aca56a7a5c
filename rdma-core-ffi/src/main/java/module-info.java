// SPDX-License-Identifier: Apache-2.0
/**
 * RDMA verbs and connection management over the system's {@code libibverbs} and {@code librdmacm}.
 *
 * <p>Programs use {@code io.rdmachannel.verbs} and {@code io.rdmachannel.cm}. The lower floor is there for the sibling
 * modules only, and jextract's output for nobody.
 */
@SuppressWarnings("module") // the sibling modules that the qualified export names are compiled after this one
module io.rdmachannel.ffi {
    exports io.rdmachannel.verbs;
    exports io.rdmachannel.cm;
    exports io.rdmachannel.ffi to
            io.rdmachannel.mempool,
            io.rdmachannel.channel,
            io.rdmachannel.bench;
}
