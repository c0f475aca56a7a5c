/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the overhead benchmarks do in Java, done in C over the same verbs library: two queue pairs of one process,
 * driven by one thread. Compile with -shared -fPIC and the library that is to be measured:
 * see io.rdmachannel.bench.overhead.LoopLibrary.
 */
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEPTH 128
#define HEADER 32
#define PAYLOAD 64
#define FRAME (HEADER + PAYLOAD)
#define SIGNAL_EVERY 32
#define ACKNOWLEDGE_EVERY 32
#define PLACES_MAX 1024
#define PAGE 4096
#define RETURN 0xC3          /* of x86-64 */
#define POLLS_MAX 100000000L /* that find nothing, some seconds: a message is lost */

struct end {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    char *sends;
    char *receives;
    uint64_t sent;
    uint64_t handled;
    uint64_t acknowledged;
};

struct loop {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_mr *mr;
    char *memory;
    struct end left;
    struct end right;
    char payload[PAYLOAD];
    uint64_t seen;
};

static int post_receive(struct loop *loop, struct end *end, uint64_t slot) {
    struct ibv_sge piece = {(uintptr_t) end->receives + slot * FRAME, FRAME, loop->mr->lkey};
    struct ibv_recv_wr request = {.wr_id = slot, .sg_list = &piece, .num_sge = 1};
    struct ibv_recv_wr *bad;
    return ibv_post_recv(end->qp, &request, &bad);
}

static int post_send(struct loop *loop, struct end *end, uint32_t bytes, int flags) {
    uint64_t slot = end->sent++ % DEPTH;
    struct ibv_sge piece = {(uintptr_t) end->sends + slot * FRAME, bytes, loop->mr->lkey};
    struct ibv_send_wr request = {
        .wr_id = slot, .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = flags | IBV_SEND_INLINE};
    struct ibv_send_wr *bad;
    return ibv_post_send(end->qp, &request, &bad);
}

static int connect(struct loop *loop, struct end *end, struct end *peer, union ibv_gid *gid, int gid_index) {
    struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    int result = ibv_modify_qp(
        end->qp, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    for (uint64_t slot = 0; result == 0 && slot < DEPTH; slot++) result = post_receive(loop, end, slot);
    if (result) return result;
    attributes = (struct ibv_qp_attr) {
        .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer->qp->qp_num, .min_rnr_timer = 12,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = *gid, .sgid_index = gid_index, .hop_limit = 64}}};
    result = ibv_modify_qp(
        end->qp, &attributes,
        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC
            | IBV_QP_MIN_RNR_TIMER);
    if (result) return result;
    attributes = (struct ibv_qp_attr) {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7};
    return ibv_modify_qp(
        end->qp, &attributes,
        IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

static int make_end(struct loop *loop, struct end *end, char *memory) {
    end->sends = memory;
    end->receives = memory + DEPTH * FRAME;
    end->cq = ibv_create_cq(loop->context, 4 * DEPTH, NULL, NULL, 0);
    if (!end->cq) return -1;
    struct ibv_qp_init_attr initial = {
        .send_cq = end->cq, .recv_cq = end->cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = FRAME}};
    end->qp = ibv_create_qp(loop->pd, &initial);
    return end->qp ? 0 : -1;
}

/* The first entry of the GID table that is not empty. */
static int find_gid(struct ibv_context *context, union ibv_gid *gid) {
    static const union ibv_gid none;
    for (int index = 0; index < 64; index++) {
        if (!ibv_query_gid(context, 1, index, gid) && memcmp(gid, &none, sizeof none)) return index;
    }
    return -1;
}

/* Opens the first device and connects two queue pairs; a null pointer when that fails. */
struct loop *loop_open(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct loop *loop = calloc(1, sizeof *loop);
    if (!devices || !devices[0] || !loop) return NULL;
    loop->context = ibv_open_device(devices[0]);
    ibv_free_device_list(devices);
    loop->pd = loop->context ? ibv_alloc_pd(loop->context) : NULL;
    loop->memory = aligned_alloc(4096, (4 * DEPTH * FRAME + 4095) / 4096 * 4096);
    loop->mr = loop->pd ? ibv_reg_mr(loop->pd, loop->memory, 4 * DEPTH * FRAME, IBV_ACCESS_LOCAL_WRITE) : NULL;
    union ibv_gid gid;
    int index = loop->mr ? find_gid(loop->context, &gid) : -1;
    if (index < 0) return NULL;
    if (make_end(loop, &loop->left, loop->memory) || make_end(loop, &loop->right, loop->memory + 2 * DEPTH * FRAME))
        return NULL;
    if (connect(loop, &loop->left, &loop->right, &gid, index) || connect(loop, &loop->right, &loop->left, &gid, index))
        return NULL;
    return loop;
}

/* A send of 64 bytes, its completion, the receive's completion, and the receive posted again; all signaled. */
long loop_post_poll(struct loop *loop, long count) {
    struct ibv_wc done[16];
    for (long i = 0; i < count; i++) {
        if (post_send(loop, &loop->left, PAYLOAD, IBV_SEND_SIGNALED)) return -1;
        if (ibv_poll_cq(loop->left.cq, 16, done) != 1 || done[0].status) return -1;
        if (ibv_poll_cq(loop->right.cq, 16, done) != 1 || done[0].status) return -1;
        if (post_receive(loop, &loop->right, done[0].wr_id)) return -1;
    }
    return count;
}

static void put(char *to, uint32_t type, uint32_t length, uint64_t sequence, uint64_t acknowledged, uint64_t granted) {
    memcpy(to, &type, 4);
    memcpy(to + 4, &length, 4);
    memcpy(to + 8, &sequence, 8);
    memcpy(to + 16, &acknowledged, 8);
    memcpy(to + 24, &granted, 8);
}

static int send_frame(struct loop *loop, struct end *end, uint32_t type, const char *payload, uint32_t length) {
    char *frame = end->sends + end->sent % DEPTH * FRAME;
    put(frame, type, length, end->sent, end->handled, DEPTH + end->handled);
    memcpy(frame + HEADER, payload, length);
    return post_send(loop, end, HEADER + length, end->sent % SIGNAL_EVERY == 0 ? IBV_SEND_SIGNALED : 0);
}

/* Takes what has come: counts messages, and acknowledges them, several at a time or when there is nothing else. */
static int poll_end(struct loop *loop, struct end *end, uint64_t *unreported) {
    struct ibv_wc done[32];
    int count = ibv_poll_cq(end->cq, 32, done);
    for (int i = 0; i < count; i++) {
        if (done[i].status) return -1;
        if (done[i].opcode != IBV_WC_RECV) continue;
        char *frame = end->receives + done[i].wr_id * FRAME;
        uint32_t type;
        uint64_t acknowledged;
        memcpy(&type, frame, 4);
        memcpy(&acknowledged, frame + 16, 8);
        end->acknowledged = acknowledged;
        if (type == 1) {
            loop->seen += (unsigned char) frame[HEADER];
            end->handled++;
            ++*unreported;
        }
        if (post_receive(loop, end, done[i].wr_id)) return -1;
    }
    if (*unreported >= ACKNOWLEDGE_EVERY || (count == 0 && *unreported > 0)) {
        if (send_frame(loop, end, 3, loop->payload, 0)) return -1;
        *unreported = 0;
    }
    return count;
}

/* Messages of 64 bytes with a header, handled at the peer and acknowledged to the sender, `window` at a time. */
long loop_messages(struct loop *loop, long count, long window) {
    uint64_t unreported = 0;
    for (long done = 0; done < count; done += window) {
        for (long i = 0; i < window; i++) {
            if (send_frame(loop, &loop->left, 1, loop->payload, PAYLOAD)) return -1;
        }
        uint64_t wanted = loop->right.handled + window;
        uint64_t none = 0;
        uint64_t start = loop->right.handled;
        while (loop->right.handled < start + window || loop->left.acknowledged < wanted) {
            if (poll_end(loop, &loop->right, &unreported) < 0 || poll_end(loop, &loop->left, &none) < 0) return -1;
        }
    }
    return count;
}

/* Polls of an empty queue. */
long loop_polls(struct loop *loop, long count) {
    struct ibv_wc done[32];
    for (long i = 0; i < count; i++) {
        if (ibv_poll_cq(loop->left.cq, 32, done) != 0) return -1;
    }
    return count;
}

/* Returns how many messages have come, each of which is received again. */
static int take(struct loop *loop, struct end *end) {
    struct ibv_wc done[32];
    int messages = 0;
    int count = ibv_poll_cq(end->cq, 32, done);
    if (count < 0) return -1;
    for (int i = 0; i < count; i++) {
        if (done[i].status) return -1;
        if (done[i].opcode != IBV_WC_RECV) continue;
        end->handled++;
        messages++;
        if (post_receive(loop, end, done[i].wr_id)) return -1;
    }
    return messages;
}

static int send_and_take(struct loop *loop, struct end *from, struct end *to) {
    if (send_frame(loop, from, 1, loop->payload, PAYLOAD)) return -1;
    int messages = 0;
    for (long polls = 0; messages == 0 && polls < POLLS_MAX; polls++) messages = take(loop, to);
    return messages == 1 ? 0 : -1;
}

/* Functions that only return, each on a page of its own; a null pointer where there is no memory, or other code. */
static char *places(void) {
    static char *pages;
#ifndef __x86_64__
    return NULL;
#endif
    if (!pages) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS;
        char *made = mmap(NULL, PLACES_MAX * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1, 0);
        if (made == MAP_FAILED) return NULL;
        memset(made, RETURN, PLACES_MAX * PAGE);
        pages = made;
    }
    return pages;
}

/* Calls so many of them, again and again. */
long loop_calls(struct loop *loop, long count, long called) {
    char *pages = places();
    if (!loop || !pages || called > PLACES_MAX) return -1;
    for (long i = 0; i < count; i++) {
        for (long place = 0; place < called; place++) {
            /* Not all at the beginning of their pages, where they would share a set of the caches. */
            ((void (*)(void)) (pages + place * PAGE + place * 176 % PAGE))();
        }
    }
    return count;
}

/* Messages of 64 bytes with a header there and back; calls so many functions before each. */
long loop_pings(struct loop *loop, long count, long called) {
    for (long i = 0; i < count; i++) {
        if (called > 0 && loop_calls(loop, 1, called) != 1) return -1;
        if (send_and_take(loop, &loop->left, &loop->right) || send_and_take(loop, &loop->right, &loop->left)) return -1;
    }
    return count;
}
