// SPDX-License-Identifier: Apache-2.0
/* What is posted to send, and what waits. */
#include "calls.h"
#include "delivery.h"
#include "device.h"
#include "faults.h"

#include "loopback.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lb_qp *lb_waiting;

bool lb_send_queue_make(struct lb_send_queue *queue, const struct ibv_qp_cap *cap)
{
    size_t capacity = cap->max_send_wr;

    *queue = (struct lb_send_queue){
        .sends = calloc(capacity + 1, sizeof(*queue->sends)),
        .sges = calloc(capacity * cap->max_send_sge + 1, sizeof(*queue->sges)),
        .inline_data = malloc(capacity * cap->max_inline_data + 1),
        .capacity = capacity,
        .max_sge = cap->max_send_sge,
        .max_inline = cap->max_inline_data,
    };
    return queue->sends && queue->sges && queue->inline_data;
}

void lb_send_queue_free(struct lb_send_queue *queue)
{
    free(queue->sends);
    free(queue->sges);
    free(queue->inline_data);
}

static bool can_be_inline(enum ibv_wr_opcode opcode)
{
    return opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_RDMA_WRITE ||
           opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

/* Copies inline data now: the caller may use its memory again once the post has returned. */
static int take_inline(struct lb_send_queue *queue, struct lb_send *send, uint32_t slot, const struct ibv_send_wr *wr)
{
    uint8_t *to = queue->inline_data + (size_t)slot * queue->max_inline;
    uint64_t bytes = 0;

    if (!can_be_inline(wr->opcode))
        return EINVAL;
    for (int i = 0; i < wr->num_sge; i++)
        bytes += wr->sg_list[i].length;
    if (bytes > queue->max_inline)
        return EINVAL;
    for (int i = 0; i < wr->num_sge; i++) {
        memcpy(to, (const void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
        to += wr->sg_list[i].length;
    }
    send->inline_bytes = bytes;
    return 0;
}

static void take_operation(struct lb_send *send, const struct ibv_send_wr *wr)
{
    if (wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        send->remote_addr = wr->wr.atomic.remote_addr;
        send->rkey = wr->wr.atomic.rkey;
        send->compare_add = wr->wr.atomic.compare_add;
        send->swap = wr->wr.atomic.swap;
    } else {
        send->remote_addr = wr->wr.rdma.remote_addr;
        send->rkey = wr->wr.rdma.rkey;
        send->imm_data = wr->imm_data;
    }
}

static int take(struct lb_qp *qp, const struct ibv_send_wr *wr)
{
    struct lb_send_queue *queue = &qp->sends;
    uint32_t slot = queue->first + queue->waiting;
    struct lb_send *send;

    if (UNLIKELY(queue->used == queue->capacity))
        return ENOMEM;
    if (UNLIKELY(wr->num_sge < 0 || (uint32_t)wr->num_sge > queue->max_sge || !lb_can_carry_out(wr->opcode)))
        return EINVAL;
    slot -= slot >= queue->capacity ? queue->capacity : 0;
    send = &queue->sends[slot];
    send->wr_id = wr->wr_id;
    send->opcode = wr->opcode;
    send->flags = wr->send_flags;
    send->num_sge = wr->num_sge;
    take_operation(send, wr);
    if (wr->send_flags & IBV_SEND_INLINE) {
        int error = take_inline(queue, send, slot, wr);

        if (error)
            return error;
    } else {
        struct ibv_sge *sges = &queue->sges[(size_t)slot * queue->max_sge];

        for (int i = 0; i < wr->num_sge; i++)
            sges[i] = wr->sg_list[i];
    }
    queue->waiting++;
    queue->used++;
    return 0;
}

int lb_post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
    struct lb_qp *qp = lb_qp(ibv);
    int error;

    lb_lock();
    error = lb_called(CALL_ibv_post_send);
    if (UNLIKELY(ibv->state < IBV_QPS_RTS))
        error = error ? error : EINVAL;
    for (; !error && wr; wr = error ? wr : wr->next)
        error = take(qp, wr);
    if (UNLIKELY(error))
        *bad_wr = wr;
    if (LIKELY(ibv->state == IBV_QPS_RTS))
        lb_run(qp);
    else if (ibv->state == IBV_QPS_ERR)
        lb_flush(qp);
    if (UNLIKELY(lb_waiting != NULL))
        lb_run_waiting();
    lb_unlock();
    return error;
}

/* Takes the first one out; whether it has a completion. What has none frees its slot with the next one that has. */
static bool take_first(struct lb_qp *qp, struct lb_end *end)
{
    struct lb_send_queue *queue = &qp->sends;
    const struct lb_send *send = &queue->sends[queue->first];

    queue->first = queue->first + 1 == queue->capacity ? 0 : queue->first + 1;
    queue->waiting--;
    queue->uncovered++;
    if (end->status == IBV_WC_SUCCESS && !qp->signal_all && !(send->flags & IBV_SEND_SIGNALED))
        return false;
    end->wr_id = send->wr_id;
    end->used = &queue->used;
    end->frees = queue->uncovered;
    queue->uncovered = 0;
    return true;
}

static void wait_for_peer(struct lb_qp *qp)
{
    if (!qp->waits) {
        qp->waits = true;
        qp->next_waiting = lb_waiting;
        lb_waiting = qp;
    }
}

void lb_stop_waiting(struct lb_qp *qp)
{
    struct lb_qp **at = &lb_waiting;

    if (!qp->waits)
        return;
    while (*at != qp)
        at = &(*at)->next_waiting;
    *at = qp->next_waiting;
    qp->waits = false;
}

/* The send is taken out first: a completion that does not fit flushes what is still in the queue. */
static void end(struct lb_qp *qp, struct lb_outcome *outcome)
{
    bool told = take_first(qp, &outcome->end);

    if (outcome->receive_ended)
        lb_complete(outcome->peer->recv_cq, outcome->peer, &outcome->receive);
    if (told)
        lb_complete(qp->send_cq, qp, &outcome->end);
    if (UNLIKELY(outcome->end.status != IBV_WC_SUCCESS))
        lb_qp_fail(qp);
    if (UNLIKELY(outcome->peer_fails)) {
        if (outcome->peer_event == LB_NO_EVENT)
            lb_qp_fail(outcome->peer);
        else
            lb_qp_fail_with(outcome->peer, outcome->peer_event);
    }
}

void lb_run(struct lb_qp *qp)
{
    struct lb_send_queue *queue = &qp->sends;

    while (queue->waiting && qp->ibv.state == IBV_QPS_RTS) {
        struct lb_send *send = &queue->sends[queue->first];
        struct lb_outcome outcome = {.end = {.status = IBV_WC_SUCCESS}};

        if (LIKELY(!lb_work_faults) || !lb_fault_of_work(qp, LOOPBACK_SENDS, &outcome.end))
            lb_carry_out(qp, send, &outcome);
        if (UNLIKELY(outcome.waits)) {
            wait_for_peer(qp);
            return;
        }
        if (UNLIKELY(qp->waits))
            lb_stop_waiting(qp);
        end(qp, &outcome);
    }
}

void lb_run_waiting(void)
{
    struct lb_qp *qp = lb_waiting;

    /* Trying one changes the list only by taking it out, unless it fails others: then from the beginning. */
    while (qp) {
        struct lb_qp *next = qp->next_waiting;
        uint32_t before = qp->sends.waiting;

        lb_run(qp);
        qp = qp->sends.waiting == before && qp->waits ? next : lb_waiting;
    }
}

void lb_flush(struct lb_qp *qp)
{
    while (qp->sends.waiting) {
        struct lb_end flushed = {.status = IBV_WC_WR_FLUSH_ERR};

        take_first(qp, &flushed);
        lb_complete(qp->send_cq, qp, &flushed);
    }
    while (qp->own.waiting) {
        struct lb_end flushed = {.status = IBV_WC_WR_FLUSH_ERR};

        lb_receive_take(qp, &flushed);
        lb_complete(qp->recv_cq, qp, &flushed);
    }
}

void lb_discard(struct lb_qp *qp)
{
    lb_stop_waiting(qp);
    lb_cq_forget(qp->send_cq, qp);
    lb_cq_forget(qp->recv_cq, qp);
    qp->sends.first = qp->sends.waiting = qp->sends.used = qp->sends.uncovered = 0;
    qp->own.first = qp->own.waiting = qp->own.used = 0;
}
