// SPDX-License-Identifier: Apache-2.0
#include "delivery.h"

#include "faults.h"
#include "memory.h"

#include "loopback.h"

#include <string.h>

enum { FOR_EVER = 7, NUMBER_MASK = 0xffffff };

/* The memory that elements name. */
struct spans {
    int count;
    uint64_t total;
    struct {
        uint8_t *start;
        uint64_t length;
    } span[LB_MAX_SGE];
};

bool lb_can_carry_out(enum ibv_wr_opcode opcode)
{
    return opcode <= IBV_WR_ATOMIC_FETCH_AND_ADD;
}

/* False when a key does not allow it. An element without bytes names nothing, so its key is not looked at. */
static bool find(struct spans *spans, const struct ibv_pd *pd, struct lb_elements elements, bool write)
{
    spans->count = 0;
    spans->total = 0;
    for (int i = 0; i < elements.count; i++) {
        const struct ibv_sge *sge = &elements.sges[i];
        void *start;

        if (!sge->length)
            continue;
        start = lb_local(pd, sge, write);
        if (UNLIKELY(!start))
            return false;
        spans->span[spans->count].start = start;
        spans->span[spans->count++].length = sge->length;
        spans->total += sge->length;
    }
    return true;
}

static void be_one(struct spans *spans, void *start, uint64_t length)
{
    spans->count = 1;
    spans->total = length;
    spans->span[0].start = start;
    spans->span[0].length = length;
}

/* Both ends may be the same memory. */
static void move(struct spans *to, struct spans *from)
{
    int target = 0;

    if (LIKELY(from->count == 1 && to->count == 1)) {
        memmove(to->span[0].start, from->span[0].start, from->total);
        return;
    }
    for (int source = 0; source < from->count;) {
        uint64_t room = to->span[target].length;
        uint64_t left = from->span[source].length;
        uint64_t bytes = room < left ? room : left;

        memmove(to->span[target].start, from->span[source].start, bytes);
        to->span[target].start += bytes;
        from->span[source].start += bytes;
        to->span[target].length -= bytes;
        from->span[source].length -= bytes;
        target += to->span[target].length == 0;
        source += from->span[source].length == 0;
    }
}

static void fail(struct lb_outcome *outcome, enum ibv_wc_status status)
{
    outcome->end.status = status;
}

/* The peer's adapter refuses: both ends fail, as the specification has it for a reliable connection. */
static void refuse(struct lb_outcome *outcome, enum ibv_wc_status status)
{
    fail(outcome, status);
    outcome->peer_fails = true;
    outcome->peer_event = status == IBV_WC_REM_ACCESS_ERR ? IBV_EVENT_QP_ACCESS_ERR : IBV_EVENT_QP_REQ_ERR;
}

/* The receive fails, and with it both ends. */
static void fail_receive(struct lb_outcome *outcome, enum ibv_wc_status here, enum ibv_wc_status there)
{
    fail(outcome, here);
    outcome->receive.status = there;
    outcome->peer_fails = true;
    outcome->peer_event = LB_NO_EVENT;
}

/* A queue pair that is there and does not receive yet says nothing; repetitions wait until it does, or is gone. */
static bool is_silent(const struct lb_qp *peer)
{
    return peer && peer->ibv.state < IBV_QPS_RTR;
}

/* Whether packets of so many bytes get through, and are what the other end waits for. */
static bool is_answered(const struct lb_qp *qp, const struct lb_qp *peer, uint64_t bytes)
{
    if (UNLIKELY(!peer || peer->ibv.state > IBV_QPS_SQD))
        return false;
    if (UNLIKELY(peer->attr.dest_qp_num != qp->ibv.qp_num || peer->rq_psn != qp->sq_psn))
        return false;
    if (UNLIKELY(qp->device->port_state != IBV_PORT_ACTIVE || peer->device->port_state != IBV_PORT_ACTIVE))
        return false;
    return LIKELY(bytes <= LB_ACTIVE_MTU_BYTES) || (1u << qp->mtu_shift) <= LB_ACTIVE_MTU_BYTES;
}

static void count_packets(struct lb_qp *qp, struct lb_qp *peer, uint64_t bytes)
{
    uint32_t sent = bytes ? (bytes - 1) >> qp->mtu_shift : 0;
    uint32_t expected = bytes ? (bytes - 1) >> peer->mtu_shift : 0;

    qp->sq_psn = (qp->sq_psn + sent + 1) & NUMBER_MASK;
    peer->rq_psn = (peer->rq_psn + expected + 1) & NUMBER_MASK;
}

/* Without a receive; no time passes here, so a limited number of repetitions is over at once. */
static bool is_ready(const struct lb_qp *qp, struct lb_outcome *outcome)
{
    if (LIKELY(outcome->peer->receives->waiting))
        return true;
    if (qp->attr.rnr_retry == FOR_EVER)
        outcome->waits = true;
    else
        fail(outcome, IBV_WC_RNR_RETRY_EXC_ERR);
    return false;
}

static struct lb_elements take_receive(const struct lb_send *send, struct lb_outcome *outcome, uint64_t bytes)
{
    bool with_immediate = send->opcode == IBV_WR_SEND_WITH_IMM || send->opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
    struct lb_end *receive = &outcome->receive;
    struct lb_elements elements = lb_receive_take(outcome->peer, receive);

    outcome->receive_ended = true;
    receive->status = IBV_WC_SUCCESS;
    receive->opcode = send->opcode == IBV_WR_RDMA_WRITE_WITH_IMM ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
    receive->byte_len = bytes;
    receive->wc_flags = with_immediate ? IBV_WC_WITH_IMM : 0;
    receive->imm_data = with_immediate ? send->imm_data : 0;
    receive->solicited = send->flags & IBV_SEND_SOLICITED;
    if (UNLIKELY(lb_work_faults) && lb_fault_of_work(outcome->peer, LOOPBACK_RECEIVES, receive))
        fail_receive(outcome, IBV_WC_REM_OP_ERR, receive->status);
    return elements;
}

static void send_message(struct lb_qp *qp, const struct lb_send *send, struct spans *from, struct lb_outcome *outcome)
{
    struct lb_elements elements;
    struct spans to;

    outcome->end.opcode = IBV_WC_SEND;
    if (!is_ready(qp, outcome))
        return;
    elements = take_receive(send, outcome, from->total);
    if (UNLIKELY(outcome->peer_fails))
        return;
    if (UNLIKELY(!find(&to, outcome->peer->receive_pd, elements, true)))
        fail_receive(outcome, IBV_WC_REM_OP_ERR, IBV_WC_LOC_PROT_ERR);
    else if (UNLIKELY(to.total < from->total))
        fail_receive(outcome, IBV_WC_REM_INV_REQ_ERR, IBV_WC_LOC_LEN_ERR);
    else
        move(&to, from);
}

/* The memory that a one-sided operation names, or NULL after refusing it. */
static void *remote_memory(const struct lb_send *send, uint64_t bytes, unsigned right, struct lb_outcome *outcome)
{
    const struct lb_qp *peer = outcome->peer;
    void *start;

    if (UNLIKELY(!(peer->attr.qp_access_flags & right))) {
        refuse(outcome, IBV_WC_REM_INV_REQ_ERR);
        return NULL;
    }
    start = lb_remote(peer->ibv.pd, send->remote_addr, bytes, send->rkey, right);
    if (UNLIKELY(!start))
        refuse(outcome, IBV_WC_REM_ACCESS_ERR);
    return start;
}

static void write_memory(struct lb_qp *qp, const struct lb_send *send, struct spans *from, struct lb_outcome *outcome)
{
    struct spans to;

    outcome->end.opcode = IBV_WC_RDMA_WRITE;
    if (send->opcode == IBV_WR_RDMA_WRITE_WITH_IMM && !is_ready(qp, outcome))
        return;
    /* Without bytes there is no access, so the key is not looked at. */
    if (from->total) {
        void *start = remote_memory(send, from->total, IBV_ACCESS_REMOTE_WRITE, outcome);

        if (UNLIKELY(!start))
            return;
        be_one(&to, start, from->total);
        move(&to, from);
    }
    if (send->opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
        take_receive(send, outcome, from->total);
}

/* What reads and atomics need of both ends, since the answering adapter has to remember them. */
static bool may_ask(const struct lb_qp *qp, struct lb_outcome *outcome)
{
    if (UNLIKELY(!qp->attr.max_rd_atomic)) {
        fail(outcome, IBV_WC_LOC_QP_OP_ERR);
        return false;
    }
    if (UNLIKELY(!outcome->peer->attr.max_dest_rd_atomic)) {
        refuse(outcome, IBV_WC_REM_INV_REQ_ERR);
        return false;
    }
    return true;
}

static void read_memory(struct lb_qp *qp, const struct lb_send *send, struct spans *to, struct lb_outcome *outcome)
{
    struct spans from;
    void *start;

    outcome->end.opcode = IBV_WC_RDMA_READ;
    outcome->end.byte_len = to->total;
    if (!may_ask(qp, outcome) || !to->total)
        return;
    start = remote_memory(send, to->total, IBV_ACCESS_REMOTE_READ, outcome);
    if (UNLIKELY(!start))
        return;
    be_one(&from, start, to->total);
    move(to, &from);
}

static void change_memory(struct lb_qp *qp, const struct lb_send *send, struct spans *to, struct lb_outcome *outcome)
{
    bool swaps = send->opcode == IBV_WR_ATOMIC_CMP_AND_SWP;
    uint64_t before = send->compare_add;
    struct spans from;
    uint64_t *target;

    outcome->end.opcode = swaps ? IBV_WC_COMP_SWAP : IBV_WC_FETCH_ADD;
    outcome->end.byte_len = sizeof(before);
    if (to->total != sizeof(before)) {
        fail(outcome, IBV_WC_LOC_LEN_ERR);
        return;
    }
    if (!may_ask(qp, outcome))
        return;
    if (send->remote_addr % sizeof(before)) {
        refuse(outcome, IBV_WC_REM_INV_REQ_ERR);
        return;
    }
    target = remote_memory(send, sizeof(before), IBV_ACCESS_REMOTE_ATOMIC, outcome);
    if (UNLIKELY(!target))
        return;
    if (swaps)
        __atomic_compare_exchange_n(target, &before, send->swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    else
        before = __atomic_fetch_add(target, send->compare_add, __ATOMIC_SEQ_CST);
    be_one(&from, &before, sizeof(before));
    move(to, &from);
}

static bool find_own(const struct lb_qp *qp, const struct lb_send *send, struct spans *own)
{
    const struct lb_send_queue *queue = &qp->sends;
    size_t slot = send - queue->sends;
    bool written = send->opcode >= IBV_WR_RDMA_READ;

    if (send->flags & IBV_SEND_INLINE) {
        be_one(own, queue->inline_data + slot * queue->max_inline, send->inline_bytes);
        return true;
    }
    return find(own, qp->ibv.pd, (struct lb_elements){&queue->sges[slot * queue->max_sge], send->num_sge}, written);
}

static void operate(struct lb_qp *qp, const struct lb_send *send, struct spans *own, struct lb_outcome *outcome)
{
    switch (send->opcode) {
    case IBV_WR_SEND:
    case IBV_WR_SEND_WITH_IMM:
        send_message(qp, send, own, outcome);
        break;
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        write_memory(qp, send, own, outcome);
        break;
    case IBV_WR_RDMA_READ:
        read_memory(qp, send, own, outcome);
        break;
    default:
        change_memory(qp, send, own, outcome);
        break;
    }
}

void lb_carry_out(struct lb_qp *qp, const struct lb_send *send, struct lb_outcome *outcome)
{
    struct spans own;
    uint64_t bytes;

    if (UNLIKELY(!find_own(qp, send, &own))) {
        fail(outcome, IBV_WC_LOC_PROT_ERR);
        return;
    }
    bytes = own.total;
    if (UNLIKELY(bytes > LB_MAX_MESSAGE)) {
        fail(outcome, IBV_WC_LOC_LEN_ERR);
        return;
    }
    outcome->peer = lb_qp_find(qp->attr.dest_qp_num);
    if (UNLIKELY(is_silent(outcome->peer))) {
        outcome->waits = true;
        return;
    }
    if (UNLIKELY(!is_answered(qp, outcome->peer, bytes))) {
        fail(outcome, IBV_WC_RETRY_EXC_ERR);
        return;
    }
    operate(qp, send, &own, outcome);
    if (LIKELY(!outcome->waits))
        count_packets(qp, outcome->peer, bytes);
}
