// SPDX-License-Identifier: Apache-2.0
#include "completion_queue.h"

#include "calls.h"
#include "device.h"
#include "faults.h"
#include "queue_pair.h"

#include <errno.h>
#include <stdlib.h>

/* What verbs leave undefined in a completion with an error, so that nobody gets used to it. */
enum { UNDEFINED = 0x5a5a5a5a };

struct lb_cq *lb_cqs;

static bool ring_make(struct lb_ring *ring, int capacity)
{
    uint32_t size = 1;

    while (size < (uint32_t)capacity)
        size *= 2;
    *ring = (struct lb_ring){.entries = calloc(size, sizeof(*ring->entries)), .mask = size - 1};
    return ring->entries;
}

static uint32_t ring_count(const struct lb_ring *ring)
{
    return ring->tail - ring->head;
}

static void fill(struct lb_completion *completion, struct lb_qp *qp, const struct lb_end *end)
{
    struct ibv_wc *wc = &completion->wc;

    wc->wr_id = end->wr_id;
    wc->status = end->status;
    wc->vendor_err = end->vendor_err;
    wc->qp_num = qp->ibv.qp_num;
    if (LIKELY(end->status == IBV_WC_SUCCESS)) {
        wc->opcode = end->opcode;
        wc->byte_len = end->byte_len;
        wc->imm_data = end->imm_data;
        wc->src_qp = qp->attr.dest_qp_num;
        wc->wc_flags = end->wc_flags;
    } else {
        wc->opcode = (enum ibv_wc_opcode)UNDEFINED;
        wc->byte_len = wc->imm_data = wc->src_qp = wc->wc_flags = UNDEFINED;
    }
    completion->qp = qp;
    completion->used = end->used;
    completion->frees = end->frees;
    completion->receive = end->receive;
    completion->solicited = end->solicited || end->status != IBV_WC_SUCCESS;
}

static void notify(struct lb_cq *cq, bool solicited)
{
    if (cq->armed == LB_ANY || (cq->armed == LB_SOLICITED && solicited)) {
        cq->armed = LB_SILENT;
        lb_events_push(&lb_channel(cq->ibv.channel)->events, cq, 0, 0);
    }
}

void lb_complete(struct lb_cq *cq, struct lb_qp *qp, const struct lb_end *end)
{
    struct lb_ring *ring = &cq->ring;

    if (UNLIKELY(lb_completion_faults)) {
        if (lb_fault_drops(qp, end))
            return;
        if (lb_fault_holds(qp, end))
            ring = &cq->held;
    }
    if (UNLIKELY(cq->broken))
        return;
    if (UNLIKELY(ring_count(&cq->ring) + ring_count(&cq->held) >= (uint32_t)cq->ibv.cqe)) {
        lb_cq_break(cq);
        return;
    }
    fill(&ring->entries[ring->tail & ring->mask], qp, end);
    __atomic_store_n(&ring->tail, ring->tail + 1, __ATOMIC_RELEASE);
    if (cq->armed && ring == &cq->ring)
        notify(cq, end->solicited || end->status != IBV_WC_SUCCESS);
}

void lb_cq_break(struct lb_cq *cq)
{
    if (cq->broken)
        return;
    cq->broken = true;
    lb_object_event(cq->ibv.context, cq, IBV_EVENT_CQ_ERR);
    lb_qps_break(cq);
}

static void ring_forget(struct lb_ring *ring, const struct lb_qp *qp)
{
    for (uint32_t at = ring->head; at != ring->tail; at++) {
        struct lb_completion *completion = &ring->entries[at & ring->mask];

        if (completion->qp == qp) {
            *completion->used -= completion->frees;
            completion->qp = NULL;
        }
    }
}

void lb_cq_forget(struct lb_cq *cq, const struct lb_qp *qp)
{
    ring_forget(&cq->ring, qp);
    ring_forget(&cq->held, qp);
}

int lb_cq_release(struct lb_cq *cq)
{
    int count = 0;

    while (ring_count(&cq->held)) {
        struct lb_completion *completion = &cq->held.entries[cq->held.head++ & cq->held.mask];

        cq->ring.entries[cq->ring.tail & cq->ring.mask] = *completion;
        __atomic_store_n(&cq->ring.tail, cq->ring.tail + 1, __ATOMIC_RELEASE);
        notify(cq, completion->solicited);
        count++;
    }
    return count;
}

static int take(struct lb_cq *cq, int room, struct ibv_wc *wc)
{
    struct lb_ring *ring = &cq->ring;
    uint32_t head = ring->head;
    int count = 0;

    while (count < room && head != ring->tail) {
        struct lb_completion *completion = &ring->entries[head++ & ring->mask];

        wc[count++] = completion->wc;
        if (completion->qp)
            *completion->used -= completion->frees;
    }
    __atomic_store_n(&ring->head, head, __ATOMIC_RELAXED);
    return count;
}

int lb_poll_cq(struct ibv_cq *ibv, int room, struct ibv_wc *wc)
{
    struct lb_cq *cq = lb_cq(ibv);
    int result;

    /* Whoever polls an empty queue takes no lock, and disturbs nobody. */
    if (__atomic_load_n(&cq->ring.tail, __ATOMIC_ACQUIRE) == __atomic_load_n(&cq->ring.head, __ATOMIC_RELAXED)) {
        if (LIKELY(!__atomic_load_n(&lb_call_faults, __ATOMIC_RELAXED)))
            return 0;
        lb_lock();
        result = -lb_call_fault(CALL_ibv_poll_cq);
        lb_unlock();
        return result;
    }
    lb_lock();
    result = -lb_called(CALL_ibv_poll_cq);
    if (!result)
        result = take(cq, room, wc);
    lb_unlock();
    return result;
}

int lb_req_notify_cq(struct ibv_cq *ibv, int solicited_only)
{
    struct lb_cq *cq = lb_cq(ibv);
    int error;

    if (!ibv->channel)
        return EINVAL;
    lb_lock();
    error = lb_called(CALL_ibv_req_notify_cq);
    if (!error && cq->armed != LB_ANY)
        cq->armed = solicited_only ? LB_SOLICITED : LB_ANY;
    lb_unlock();
    return error;
}

static struct lb_cq *make(struct ibv_context *context, int capacity, void *cq_context, struct ibv_comp_channel *channel)
{
    struct lb_cq *cq = calloc(1, sizeof(*cq));

    if (!cq)
        return NULL;
    if (!ring_make(&cq->ring, capacity) || !ring_make(&cq->held, capacity)) {
        free(cq->ring.entries);
        free(cq);
        return NULL;
    }
    cq->ibv.context = context;
    cq->ibv.channel = channel;
    cq->ibv.cq_context = cq_context;
    cq->ibv.cqe = capacity;
    cq->magic = LB_CQ;
    pthread_mutex_init(&cq->ibv.mutex, NULL);
    pthread_cond_init(&cq->ibv.cond, NULL);
    return cq;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *ibv, int capacity, void *cq_context, struct ibv_comp_channel *channel,
                             int vector)
{
    struct lb_context *context = lb_context(ibv);
    struct lb_cq *cq;

    if (!lb_may(CALL_ibv_create_cq))
        return NULL;
    if (!lb_works(context) || capacity < 1 || capacity > LB_MAX_CQE || vector != 0) {
        errno = lb_works(context) ? EINVAL : EIO;
        return NULL;
    }
    cq = make(ibv, capacity, cq_context, channel);
    if (!cq)
        return NULL;
    lb_lock();
    context->users++;
    if (channel)
        channel->refcnt++;
    cq->next = lb_cqs;
    lb_cqs = cq;
    lb_live.cqs++;
    lb_unlock();
    return &cq->ibv;
}

int ibv_resize_cq(struct ibv_cq *ibv, int capacity)
{
    struct lb_cq *cq = lb_cq(ibv);
    int error = lb_enter(CALL_ibv_resize_cq);
    struct lb_ring rings[2];

    if (error)
        return error;
    if (capacity < 1 || capacity > LB_MAX_CQE)
        return EINVAL;
    if (!ring_make(&rings[0], capacity))
        return ENOMEM;
    if (!ring_make(&rings[1], capacity)) {
        free(rings[0].entries);
        return ENOMEM;
    }
    lb_lock();
    if (ring_count(&cq->ring) + ring_count(&cq->held) > (uint32_t)capacity) {
        error = EINVAL;
    } else {
        struct lb_ring *old[2] = {&cq->ring, &cq->held};

        for (int i = 0; i < 2; i++) {
            struct lb_ring before = *old[i];

            /* The indexes run on, for those who look at them without the lock. */
            for (uint32_t at = before.head; at != before.tail; at++)
                rings[i].entries[at & rings[i].mask] = before.entries[at & before.mask];
            old[i]->entries = rings[i].entries;
            old[i]->mask = rings[i].mask;
            rings[i].entries = before.entries;
        }
        cq->ibv.cqe = capacity;
    }
    lb_unlock();
    free(rings[0].entries);
    free(rings[1].entries);
    return error;
}

static int unlink_cq(struct lb_cq *cq)
{
    struct lb_cq **at = &lb_cqs;

    if (cq->users)
        return EBUSY;
    while (*at != cq)
        at = &(*at)->next;
    *at = cq->next;
    if (cq->ibv.channel) {
        lb_events_forget(&lb_channel(cq->ibv.channel)->events, cq);
        if (!lb_destroyed(cq->ibv.context))
            cq->ibv.channel->refcnt--;
    }
    lb_events_forget(&lb_context(cq->ibv.context)->async, cq);
    lb_context(cq->ibv.context)->users--;
    lb_live.cqs--;
    cq->armed = LB_SILENT;
    return 0;
}

int ibv_destroy_cq(struct ibv_cq *ibv)
{
    struct lb_cq *cq = lb_cq(ibv);
    int error = lb_enter(CALL_ibv_destroy_cq);
    int done = lb_destroyed(ibv->context);

    if (error)
        return error;
    lb_lock();
    error = unlink_cq(cq);
    lb_unlock();
    if (error)
        return error;
    lb_await_acknowledged(&ibv->mutex, &ibv->cond, &ibv->comp_events_completed, cq->events_reported);
    lb_await_acknowledged(&ibv->mutex, &ibv->cond, &ibv->async_events_completed, cq->async_reported);
    cq->magic = LB_DEAD;
    pthread_mutex_destroy(&ibv->mutex);
    pthread_cond_destroy(&ibv->cond);
    free(cq->ring.entries);
    free(cq->held.entries);
    free(cq);
    return done;
}
