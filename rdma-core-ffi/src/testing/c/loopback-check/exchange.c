// SPDX-License-Identifier: Apache-2.0
/*
 * Two queue pairs of one process that send, write, read, add and fail, without Java: for sanitizers, and for a look at
 * what the stand-in itself costs. README.md beside the stand-in says how to compile it.
 *     exchange [MESSAGES]
 */
#include <infiniband/verbs.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH = 64, BYTES = 64, PSN = 77 };

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

struct end {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    struct ibv_mr *mr;
    char *memory;
};

static struct end make(struct ibv_pd *pd)
{
    struct end end = {.cq = ibv_create_cq(pd->context, 2 * DEPTH, NULL, NULL, 0), .memory = calloc(2, BYTES)};
    struct ibv_qp_init_attr attr = {
        .send_cq = end.cq,
        .recv_cq = end.cq,
        .cap = {DEPTH, DEPTH, 2, 2, BYTES},
        .qp_type = IBV_QPT_RC,
    };

    end.qp = ibv_create_qp(pd, &attr);
    end.mr = ibv_reg_mr(pd, end.memory, 2 * BYTES,
                        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                            IBV_ACCESS_REMOTE_ATOMIC);
    REQUIRE(end.cq && end.qp && end.mr);
    return end;
}

static int first_gid(struct ibv_context *context, union ibv_gid *gid)
{
    struct ibv_gid_entry entry;

    for (int index = 0; index < 16; index++) {
        if (!ibv_query_gid_ex(context, 1, index, &entry, 0)) {
            *gid = entry.gid;
            return index;
        }
    }
    REQUIRE(!"a GID");
    return -1;
}

static void connect_to(struct ibv_qp *qp, uint32_t number)
{
    struct ibv_qp_attr attr = {
        .qp_state = IBV_QPS_INIT,
        .port_num = 1,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = number,
        .rq_psn = PSN,
        .sq_psn = PSN,
        .max_rd_atomic = 4,
        .max_dest_rd_atomic = 4,
        .min_rnr_timer = 12,
        .timeout = 14,
        .retry_cnt = 7,
        .rnr_retry = 7,
        .ah_attr = {.port_num = 1, .is_global = 1, .grh = {.hop_limit = 1}},
    };

    attr.ah_attr.grh.sgid_index = first_gid(qp->context, &attr.ah_attr.grh.dgid);
    REQUIRE(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    attr.qp_state = IBV_QPS_RTR;
    REQUIRE(!ibv_modify_qp(qp, &attr,
                           IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                               IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    attr.qp_state = IBV_QPS_RTS;
    REQUIRE(!ibv_modify_qp(qp, &attr,
                           IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                               IBV_QP_MAX_QP_RD_ATOMIC));
}

static void join(struct end *left, struct end *right)
{
    connect_to(left->qp, right->qp->qp_num);
    connect_to(right->qp, left->qp->qp_num);
}

static int post(struct end *from, struct end *to, enum ibv_wr_opcode opcode, unsigned flags, uint32_t length)
{
    struct ibv_sge sge = {(uintptr_t)from->memory, length, from->mr->lkey};
    struct ibv_send_wr *bad, wr = {.wr_id = opcode, .sg_list = &sge, .num_sge = 1, .opcode = opcode};

    wr.send_flags = flags | IBV_SEND_SIGNALED;
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        wr.wr.atomic.remote_addr = (uintptr_t)to->memory + BYTES;
        wr.wr.atomic.rkey = to->mr->rkey;
        wr.wr.atomic.compare_add = 5;
    } else {
        wr.wr.rdma.remote_addr = (uintptr_t)to->memory + BYTES;
        wr.wr.rdma.rkey = to->mr->rkey;
    }
    return ibv_post_send(from->qp, &wr, &bad);
}

static void receive(struct end *end, uint64_t id)
{
    struct ibv_sge sge = {(uintptr_t)end->memory + BYTES, BYTES, end->mr->lkey};
    struct ibv_recv_wr *bad, wr = {.wr_id = id, .sg_list = &sge, .num_sge = 1};

    REQUIRE(!ibv_post_recv(end->qp, &wr, &bad));
}

static void completed(struct end *end, enum ibv_wc_status status)
{
    struct ibv_wc wc;

    REQUIRE(ibv_poll_cq(end->cq, 1, &wc) == 1);
    REQUIRE(wc.status == status);
}

static void measure(struct end *left, struct end *right, long messages, unsigned flags, const char *what)
{
    struct timespec begin, end;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < messages; i++) {
        receive(right, i);
        REQUIRE(!post(left, right, IBV_WR_SEND, flags, BYTES));
        completed(left, IBV_WC_SUCCESS);
        completed(right, IBV_WC_SUCCESS);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%s of %d bytes: %.1f ns for receive, send and two polls\n", what, BYTES,
           ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / messages);
}

static void one_sided(struct end *left, struct end *right)
{
    memset(left->memory, 'w', BYTES);
    REQUIRE(!post(left, right, IBV_WR_RDMA_WRITE, 0, BYTES));
    completed(left, IBV_WC_SUCCESS);
    REQUIRE(right->memory[BYTES] == 'w' && right->memory[2 * BYTES - 1] == 'w');
    memset(right->memory + BYTES, 0, BYTES);
    REQUIRE(!post(left, right, IBV_WR_RDMA_READ, 0, BYTES));
    completed(left, IBV_WC_SUCCESS);
    REQUIRE(left->memory[0] == 0 && left->memory[BYTES - 1] == 0);
    REQUIRE(!post(left, right, IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 8));
    completed(left, IBV_WC_SUCCESS);
    REQUIRE(*(uint64_t *)(right->memory + BYTES) == 5);
}

/* A send that waits, and then receives that are flushed. */
static void failing(struct end *left, struct end *right)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
    struct ibv_wc wc;

    REQUIRE(!post(left, right, IBV_WR_SEND, 0, BYTES));
    REQUIRE(ibv_poll_cq(left->cq, 1, &wc) == 0);
    receive(right, 1);
    completed(left, IBV_WC_SUCCESS);
    completed(right, IBV_WC_SUCCESS);
    receive(right, 2);
    REQUIRE(!ibv_modify_qp(right->qp, &attr, IBV_QP_STATE));
    completed(right, IBV_WC_WR_FLUSH_ERR);
    REQUIRE(!post(left, right, IBV_WR_SEND, 0, BYTES));
    completed(left, IBV_WC_RETRY_EXC_ERR);
}

static void release(struct end *end)
{
    REQUIRE(!ibv_destroy_qp(end->qp));
    REQUIRE(!ibv_destroy_cq(end->cq));
    REQUIRE(!ibv_dereg_mr(end->mr));
    free(end->memory);
}

/* Java's side refuses this by itself, so that only C can show it. */
static void misaligned(struct ibv_pd *pd)
{
    struct end left = make(pd), right = make(pd);
    struct ibv_async_event event;

    join(&left, &right);
    right.memory += 4;
    REQUIRE(!post(&left, &right, IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 8));
    completed(&left, IBV_WC_REM_INV_REQ_ERR);
    right.memory -= 4;
    REQUIRE(!ibv_get_async_event(pd->context, &event) && event.event_type == IBV_EVENT_QP_REQ_ERR);
    ibv_ack_async_event(&event);
    release(&left);
    release(&right);
}

/* What others still use stays. */
static void busy(struct end *end)
{
    REQUIRE(ibv_destroy_cq(end->cq) == EBUSY);
    REQUIRE(ibv_dealloc_pd(end->mr->pd) == EBUSY);
    REQUIRE(ibv_close_device(end->cq->context) == -1 && errno == EBUSY);
}

int main(int count, char **arguments)
{
    long messages = count > 1 ? atol(arguments[1]) : 1000000;
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = ibv_open_device(devices[0]);
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct end left = make(pd), right = make(pd);

    join(&left, &right);
    one_sided(&left, &right);
    measure(&left, &right, messages, 0, "send");
    measure(&left, &right, messages, IBV_SEND_INLINE, "inline send");
    failing(&left, &right);
    misaligned(pd);
    busy(&left);
    release(&left);
    release(&right);
    REQUIRE(!ibv_dealloc_pd(pd));
    REQUIRE(!ibv_close_device(context));
    ibv_free_device_list(devices);
    puts("done");
    return 0;
}
