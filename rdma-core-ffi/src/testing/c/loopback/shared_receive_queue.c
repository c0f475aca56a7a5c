// SPDX-License-Identifier: Apache-2.0
#include "calls.h"
#include "device.h"
#include "queue_pair.h"

#include <errno.h>
#include <stdlib.h>

static int refusal(const struct ibv_pd *pd, const struct ibv_srq_attr *attr)
{
    if (!lb_works(lb_context(pd->context)))
        return EIO;
    return attr->max_wr < 1 || attr->max_wr > LB_MAX_WR || attr->max_sge > LB_MAX_SGE ? EINVAL : 0;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *initial)
{
    struct lb_srq *srq;
    int error;

    (void)lb_pd(pd);
    if (!lb_may(CALL_ibv_create_srq))
        return NULL;
    error = refusal(pd, &initial->attr);
    if (error) {
        errno = error;
        return NULL;
    }
    srq = calloc(1, sizeof(*srq));
    if (!srq || !lb_receive_queue_make(&srq->receives, initial->attr.max_wr, initial->attr.max_sge)) {
        free(srq);
        errno = ENOMEM;
        return NULL;
    }
    srq->ibv.context = pd->context;
    srq->ibv.srq_context = initial->srq_context;
    srq->ibv.pd = pd;
    srq->magic = LB_SRQ;
    pthread_mutex_init(&srq->ibv.mutex, NULL);
    pthread_cond_init(&srq->ibv.cond, NULL);
    lb_lock();
    lb_pd(pd)->users++;
    lb_live.srqs++;
    lb_unlock();
    return &srq->ibv;
}

int ibv_modify_srq(struct ibv_srq *ibv, struct ibv_srq_attr *attr, int mask)
{
    struct lb_srq *srq = lb_srq(ibv);
    int error = lb_enter(CALL_ibv_modify_srq);

    if (error)
        return error;
    if (mask & ~IBV_SRQ_LIMIT)
        return EOPNOTSUPP;
    if ((mask & IBV_SRQ_LIMIT) && attr->srq_limit > srq->receives.capacity)
        return EINVAL;
    lb_lock();
    if (mask & IBV_SRQ_LIMIT)
        srq->limit = attr->srq_limit;
    lb_unlock();
    return 0;
}

int ibv_query_srq(struct ibv_srq *ibv, struct ibv_srq_attr *attr)
{
    struct lb_srq *srq = lb_srq(ibv);
    int error = lb_enter(CALL_ibv_query_srq);

    if (error)
        return error;
    lb_lock();
    *attr = (struct ibv_srq_attr){
        .max_wr = srq->receives.capacity,
        .max_sge = srq->receives.max_sge,
        .srq_limit = srq->limit,
    };
    lb_unlock();
    return 0;
}

int ibv_destroy_srq(struct ibv_srq *ibv)
{
    struct lb_srq *srq = lb_srq(ibv);
    int error = lb_enter(CALL_ibv_destroy_srq);
    int done = lb_destroyed(ibv->context);

    if (error)
        return error;
    lb_lock();
    if (srq->users) {
        lb_unlock();
        return EBUSY;
    }
    lb_events_forget(&lb_context(ibv->context)->async, srq);
    lb_pd(ibv->pd)->users--;
    lb_live.srqs--;
    lb_unlock();
    lb_await_acknowledged(&ibv->mutex, &ibv->cond, &ibv->events_completed, srq->events_reported);
    srq->magic = LB_DEAD;
    pthread_mutex_destroy(&ibv->mutex);
    pthread_cond_destroy(&ibv->cond);
    lb_receive_queue_free(&srq->receives);
    free(srq);
    return done;
}
