// SPDX-License-Identifier: Apache-2.0
/* Receives: of queue pairs, and shared ones. */
#include "calls.h"
#include "delivery.h"
#include "device.h"

#include <errno.h>
#include <stdlib.h>

bool lb_receive_queue_make(struct lb_receive_queue *queue, uint32_t capacity, uint32_t max_sge)
{
    *queue = (struct lb_receive_queue){
        .receives = calloc((size_t)capacity + 1, sizeof(*queue->receives)),
        .sges = calloc((size_t)capacity * max_sge + 1, sizeof(*queue->sges)),
        .capacity = capacity,
        .max_sge = max_sge,
    };
    return queue->receives && queue->sges;
}

void lb_receive_queue_free(struct lb_receive_queue *queue)
{
    free(queue->receives);
    free(queue->sges);
}

static int take(struct lb_receive_queue *queue, const struct ibv_recv_wr *wr)
{
    uint32_t slot = queue->first + queue->waiting;
    struct ibv_sge *sges;

    if (UNLIKELY(queue->used == queue->capacity))
        return ENOMEM;
    if (UNLIKELY(wr->num_sge < 0 || (uint32_t)wr->num_sge > queue->max_sge))
        return EINVAL;
    slot -= slot >= queue->capacity ? queue->capacity : 0;
    sges = &queue->sges[(size_t)slot * queue->max_sge];
    queue->receives[slot] = (struct lb_receive){.wr_id = wr->wr_id, .num_sge = wr->num_sge};
    for (int i = 0; i < wr->num_sge; i++)
        sges[i] = wr->sg_list[i];
    queue->waiting++;
    queue->used++;
    return 0;
}

static int take_all(struct lb_receive_queue *queue, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
    for (; wr; wr = wr->next) {
        int error = take(queue, wr);

        if (UNLIKELY(error)) {
            *bad_wr = wr;
            return error;
        }
    }
    return 0;
}

/* The event comes once, when fewer wait than the limit. */
static void watch_limit(struct lb_srq *srq)
{
    if (srq->limit && srq->receives.waiting < srq->limit) {
        srq->limit = 0;
        lb_object_event(srq->ibv.context, srq, IBV_EVENT_SRQ_LIMIT_REACHED);
    }
}

struct lb_elements lb_receive_take(struct lb_qp *qp, struct lb_end *end)
{
    struct lb_receive_queue *queue = qp->receives;
    uint32_t slot = queue->first;

    queue->first = slot + 1 == queue->capacity ? 0 : slot + 1;
    queue->waiting--;
    end->wr_id = queue->receives[slot].wr_id;
    end->receive = true;
    end->used = &queue->used;
    end->frees = 1;
    if (UNLIKELY(qp->ibv.srq != NULL))
        watch_limit(lb_srq(qp->ibv.srq));
    return (struct lb_elements){&queue->sges[(size_t)slot * queue->max_sge], queue->receives[slot].num_sge};
}

int lb_post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
    struct lb_qp *qp = lb_qp(ibv);
    int error;

    lb_lock();
    error = lb_called(CALL_ibv_post_recv);
    if (UNLIKELY(ibv->state == IBV_QPS_RESET || ibv->srq))
        error = error ? error : EINVAL;
    if (UNLIKELY(error))
        *bad_wr = wr;
    else
        error = take_all(&qp->own, wr, bad_wr);
    if (UNLIKELY(ibv->state == IBV_QPS_ERR))
        lb_flush(qp);
    if (UNLIKELY(lb_waiting != NULL))
        lb_run_waiting();
    lb_unlock();
    return error;
}

int lb_post_srq_recv(struct ibv_srq *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
    struct lb_srq *srq = lb_srq(ibv);
    int error;

    lb_lock();
    error = lb_called(CALL_ibv_post_srq_recv);
    if (UNLIKELY(error))
        *bad_wr = wr;
    else
        error = take_all(&srq->receives, wr, bad_wr);
    if (UNLIKELY(lb_waiting != NULL))
        lb_run_waiting();
    lb_unlock();
    return error;
}
