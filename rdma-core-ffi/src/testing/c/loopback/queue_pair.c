// SPDX-License-Identifier: Apache-2.0
#include "queue_pair.h"

#include "calls.h"
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lb_qp *lb_qps[LB_MAX_QP];

static uint64_t made;

static int refusal(const struct lb_context *context, struct ibv_pd *pd, const struct ibv_qp_init_attr *attr)
{
    const struct ibv_qp_cap *cap = &attr->cap;

    if (!lb_works(context))
        return EIO;
    if (attr->qp_type != IBV_QPT_RC)
        return EOPNOTSUPP;
    if (!attr->send_cq || !attr->recv_cq || attr->send_cq->context != pd->context ||
        attr->recv_cq->context != pd->context || (attr->srq && attr->srq->context != pd->context))
        return EINVAL;
    if (cap->max_send_wr > LB_MAX_WR || cap->max_send_sge > LB_MAX_SGE || cap->max_inline_data > LB_MAX_INLINE)
        return EINVAL;
    if (!attr->srq && (cap->max_recv_wr > LB_MAX_WR || cap->max_recv_sge > LB_MAX_SGE))
        return EINVAL;
    return 0;
}

static void release(struct lb_qp *qp)
{
    lb_send_queue_free(&qp->sends);
    lb_receive_queue_free(&qp->own);
    free(qp);
}

static struct lb_qp *make(struct ibv_pd *pd, const struct ibv_qp_init_attr *attr)
{
    struct lb_qp *qp = calloc(1, sizeof(*qp));

    if (!qp)
        return NULL;
    if (!lb_send_queue_make(&qp->sends, &attr->cap) ||
        (!attr->srq && !lb_receive_queue_make(&qp->own, attr->cap.max_recv_wr, attr->cap.max_recv_sge))) {
        release(qp);
        return NULL;
    }
    qp->ibv.context = pd->context;
    qp->ibv.qp_context = attr->qp_context;
    qp->ibv.pd = pd;
    qp->ibv.send_cq = attr->send_cq;
    qp->ibv.recv_cq = attr->recv_cq;
    qp->ibv.srq = attr->srq;
    qp->ibv.state = IBV_QPS_RESET;
    qp->ibv.qp_type = IBV_QPT_RC;
    pthread_mutex_init(&qp->ibv.mutex, NULL);
    pthread_cond_init(&qp->ibv.cond, NULL);
    qp->magic = LB_QP;
    qp->device = lb_context(pd->context)->device;
    qp->send_cq = lb_cq(attr->send_cq);
    qp->recv_cq = lb_cq(attr->recv_cq);
    qp->receives = attr->srq ? &lb_srq(attr->srq)->receives : &qp->own;
    qp->receive_pd = attr->srq ? attr->srq->pd : pd;
    qp->cap = attr->cap;
    qp->signal_all = attr->sq_sig_all;
    return qp;
}

/* The lowest number that is free: it comes again at once, for those who take completions of the last one as theirs. */
static bool add(struct lb_qp *qp)
{
    uint32_t place = 0;

    while (place < LB_MAX_QP && lb_qps[place])
        place++;
    if (place == LB_MAX_QP)
        return false;
    lb_qps[place] = qp;
    qp->ibv.qp_num = place + LB_QP_FIRST;
    qp->ibv.handle = qp->ibv.qp_num;
    qp->age = made++;
    lb_pd(qp->ibv.pd)->users++;
    qp->send_cq->users++;
    qp->recv_cq->users++;
    if (qp->ibv.srq)
        lb_srq(qp->ibv.srq)->users++;
    lb_live.qps++;
    return true;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    struct lb_qp *qp;
    bool added;
    int error;

    (void)lb_pd(pd);
    if (!lb_may(CALL_ibv_create_qp))
        return NULL;
    error = refusal(lb_context(pd->context), pd, attr);
    if (error) {
        errno = error;
        return NULL;
    }
    qp = make(pd, attr);
    if (!qp) {
        errno = ENOMEM;
        return NULL;
    }
    lb_lock();
    added = add(qp);
    lb_unlock();
    if (!added) {
        release(qp);
        errno = ENOMEM;
        return NULL;
    }
    return &qp->ibv;
}

static void unlink_qp(struct lb_qp *qp)
{
    lb_discard(qp);
    lb_cq_forget(qp->send_cq, qp);
    lb_cq_forget(qp->recv_cq, qp);
    lb_qps[qp->ibv.qp_num - LB_QP_FIRST] = NULL;
    lb_pd(qp->ibv.pd)->users--;
    qp->send_cq->users--;
    qp->recv_cq->users--;
    if (qp->ibv.srq)
        lb_srq(qp->ibv.srq)->users--;
    lb_events_forget(&lb_context(qp->ibv.context)->async, qp);
    lb_live.qps--;
    lb_run_waiting();
}

int ibv_destroy_qp(struct ibv_qp *ibv)
{
    struct lb_qp *qp = lb_qp(ibv);
    int error = lb_enter(CALL_ibv_destroy_qp);
    int done = lb_destroyed(ibv->context);

    if (error)
        return error;
    lb_lock();
    unlink_qp(qp);
    lb_unlock();
    lb_await_acknowledged(&ibv->mutex, &ibv->cond, &ibv->events_completed, qp->events_reported);
    qp->magic = LB_DEAD;
    pthread_mutex_destroy(&ibv->mutex);
    pthread_cond_destroy(&ibv->cond);
    release(qp);
    return done;
}

int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask)
{
    struct lb_qp *qp = lb_qp(ibv);
    int error;

    lb_lock();
    error = lb_called(CALL_ibv_modify_qp);
    if (!error)
        error = lb_destroyed(ibv->context);
    if (!error)
        error = lb_qp_move(qp, attr, mask);
    if (!error)
        lb_run_waiting();
    lb_unlock();
    return error;
}

int ibv_query_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *initial)
{
    struct lb_qp *qp = lb_qp(ibv);
    int error;

    (void)mask;
    lb_lock();
    error = lb_called(CALL_ibv_query_qp);
    if (!error) {
        *attr = qp->attr;
        attr->qp_state = attr->cur_qp_state = ibv->state;
        attr->sq_psn = qp->sq_psn;
        attr->rq_psn = qp->rq_psn;
        attr->cap = qp->cap;
        *initial = (struct ibv_qp_init_attr){
            .qp_context = ibv->qp_context,
            .send_cq = ibv->send_cq,
            .recv_cq = ibv->recv_cq,
            .srq = ibv->srq,
            .cap = qp->cap,
            .qp_type = ibv->qp_type,
            .sq_sig_all = qp->signal_all,
        };
    }
    lb_unlock();
    return error;
}

void lb_qp_fail(struct lb_qp *qp)
{
    if (qp->ibv.state == IBV_QPS_ERR || qp->ibv.state == IBV_QPS_RESET)
        return;
    qp->ibv.state = IBV_QPS_ERR;
    lb_stop_waiting(qp);
    lb_flush(qp);
    /* The receives of a shared queue stay there; this event says that no more of them will be taken. */
    if (qp->ibv.srq)
        lb_object_event(qp->ibv.context, qp, IBV_EVENT_QP_LAST_WQE_REACHED);
}

void lb_qp_fail_with(struct lb_qp *qp, enum ibv_event_type event)
{
    if (qp->ibv.state == IBV_QPS_ERR)
        return;
    lb_qp_fail(qp);
    lb_object_event(qp->ibv.context, qp, event);
}

void lb_qps_break(const struct lb_cq *cq)
{
    for (int place = 0; place < LB_MAX_QP; place++) {
        struct lb_qp *qp = lb_qps[place];

        if (qp && (qp->send_cq == cq || qp->recv_cq == cq))
            lb_qp_fail_with(qp, IBV_EVENT_QP_FATAL);
    }
}
