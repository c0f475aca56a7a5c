// SPDX-License-Identifier: Apache-2.0
/* The moves of a reliable connection from state to state. */
#include "device.h"
#include "queue_pair.h"

#include <arpa/inet.h>
#include <errno.h>

enum {
    ACCESS_OF_PEERS = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC,
    ANY_TIME = IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER | IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE,
    NUMBER_MASK = 0xffffff,
    TIMER_MAX = 31,
    RETRIES_MAX = 7,
};

static const struct move {
    enum ibv_qp_state from;
    enum ibv_qp_state to;
    int required;
    int optional;
} moves[] = {
    {IBV_QPS_RESET, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, 0},
    {IBV_QPS_INIT, IBV_QPS_INIT, 0, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS},
    {IBV_QPS_INIT, IBV_QPS_RTR,
     IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
     IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX},
    {IBV_QPS_RTR, IBV_QPS_RTS,
     IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC, ANY_TIME},
    {IBV_QPS_RTS, IBV_QPS_RTS, 0, ANY_TIME},
    {IBV_QPS_RTS, IBV_QPS_SQD, 0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
    {IBV_QPS_SQD, IBV_QPS_RTS, 0, ANY_TIME},
    {IBV_QPS_SQD, IBV_QPS_SQD, 0,
     IBV_QP_PORT | IBV_QP_AV | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC |
         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_MIN_RNR_TIMER |
         IBV_QP_PATH_MIG_STATE},
    {IBV_QPS_SQE, IBV_QPS_RTS, 0, ANY_TIME},
};

/* Gives an errno value when it is no legal move, lacks an attribute, or has one too many. */
static int check_move(enum ibv_qp_state from, enum ibv_qp_state to, int mask)
{
    int given = mask & ~IBV_QP_STATE;

    if (to == IBV_QPS_RESET || (to == IBV_QPS_ERR && from != IBV_QPS_RESET))
        return given & ~IBV_QP_CUR_STATE ? EINVAL : 0;
    for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
        const struct move *move = &moves[i];

        if (move->from == from && move->to == to)
            return (move->required & ~given) || (given & ~(move->required | move->optional)) ? EINVAL : 0;
    }
    return EINVAL;
}

static int check_route(const struct ibv_ah_attr *route)
{
    static const union ibv_gid none;

    if (route->port_num != LB_PORT || !route->is_global || !lb_gid_filled(route->grh.sgid_index))
        return EINVAL;
    if (!memcmp(&route->grh.dgid, &none, sizeof(none)))
        return EINVAL;
    /* What the look-up of a neighbour that does not answer ends with. */
    return lb_gid_known(&route->grh.dgid) ? 0 : ETIMEDOUT;
}

static int check_values(const struct ibv_qp_attr *attr, int mask)
{
    bool wrong = ((mask & IBV_QP_PORT) && attr->port_num != LB_PORT) ||
                 ((mask & IBV_QP_PKEY_INDEX) && attr->pkey_index != 0) ||
                 ((mask & IBV_QP_PATH_MTU) && (attr->path_mtu < IBV_MTU_256 || attr->path_mtu > IBV_MTU_4096)) ||
                 ((mask & IBV_QP_DEST_QPN) && attr->dest_qp_num > NUMBER_MASK) ||
                 ((mask & IBV_QP_MAX_QP_RD_ATOMIC) && attr->max_rd_atomic > LB_MAX_RD_ATOMIC) ||
                 ((mask & IBV_QP_MAX_DEST_RD_ATOMIC) && attr->max_dest_rd_atomic > LB_MAX_RD_ATOMIC) ||
                 ((mask & IBV_QP_MIN_RNR_TIMER) && attr->min_rnr_timer > TIMER_MAX) ||
                 ((mask & IBV_QP_TIMEOUT) && attr->timeout > TIMER_MAX) ||
                 ((mask & IBV_QP_RETRY_CNT) && attr->retry_cnt > RETRIES_MAX) ||
                 ((mask & IBV_QP_RNR_RETRY) && attr->rnr_retry > RETRIES_MAX) ||
                 (mask & (IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE));

    if (wrong)
        return EINVAL;
    return mask & IBV_QP_AV ? check_route(&attr->ah_attr) : 0;
}

static void take_values(struct lb_qp *qp, const struct ibv_qp_attr *attr, int mask)
{
    struct ibv_qp_attr *kept = &qp->attr;

    if (mask & IBV_QP_PORT)
        kept->port_num = attr->port_num;
    if (mask & IBV_QP_ACCESS_FLAGS)
        kept->qp_access_flags = attr->qp_access_flags & ACCESS_OF_PEERS;
    if (mask & IBV_QP_AV)
        kept->ah_attr = attr->ah_attr;
    if (mask & IBV_QP_PATH_MTU) {
        kept->path_mtu = attr->path_mtu;
        qp->mtu_shift = 7 + attr->path_mtu; /* IBV_MTU_256 is 1 */
    }
    if (mask & IBV_QP_DEST_QPN)
        kept->dest_qp_num = attr->dest_qp_num;
    if (mask & IBV_QP_RQ_PSN)
        qp->rq_psn = attr->rq_psn & NUMBER_MASK;
    if (mask & IBV_QP_SQ_PSN)
        qp->sq_psn = attr->sq_psn & NUMBER_MASK;
    if (mask & IBV_QP_MAX_QP_RD_ATOMIC)
        kept->max_rd_atomic = attr->max_rd_atomic;
    if (mask & IBV_QP_MAX_DEST_RD_ATOMIC)
        kept->max_dest_rd_atomic = attr->max_dest_rd_atomic;
    if (mask & IBV_QP_MIN_RNR_TIMER)
        kept->min_rnr_timer = attr->min_rnr_timer;
    if (mask & IBV_QP_TIMEOUT)
        kept->timeout = attr->timeout;
    if (mask & IBV_QP_RETRY_CNT)
        kept->retry_cnt = attr->retry_cnt;
    if (mask & IBV_QP_RNR_RETRY)
        kept->rnr_retry = attr->rnr_retry;
}

static void reset(struct lb_qp *qp)
{
    lb_discard(qp);
    qp->ibv.state = IBV_QPS_RESET;
    qp->attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RESET};
    qp->sq_psn = qp->rq_psn = 0;
}

int lb_qp_move(struct lb_qp *qp, const struct ibv_qp_attr *attr, int mask)
{
    enum ibv_qp_state from = qp->ibv.state;
    enum ibv_qp_state to = mask & IBV_QP_STATE ? attr->qp_state : from;
    int error = check_move(from, to, mask);

    if (error)
        return error;
    if ((mask & IBV_QP_CUR_STATE) && attr->cur_qp_state != from)
        return EINVAL;
    error = check_values(attr, mask);
    if (error)
        return error;
    if (to == IBV_QPS_RESET) {
        reset(qp);
    } else if (to == IBV_QPS_ERR) {
        lb_qp_fail(qp);
    } else {
        take_values(qp, attr, mask);
        qp->ibv.state = to;
        if (to == IBV_QPS_SQD && from == IBV_QPS_RTS && (mask & IBV_QP_EN_SQD_ASYNC_NOTIFY) &&
            attr->en_sqd_async_notify)
            lb_object_event(qp->ibv.context, qp, IBV_EVENT_SQ_DRAINED);
        lb_run(qp);
    }
    return 0;
}
