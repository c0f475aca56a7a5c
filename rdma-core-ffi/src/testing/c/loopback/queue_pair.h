/* SPDX-License-Identifier: Apache-2.0 */
/* Queue pairs, and the work that they hold. Everything under the lock. */
#ifndef LOOPBACK_QUEUE_PAIR_H
#define LOOPBACK_QUEUE_PAIR_H

#include "completion_queue.h"

/* Numbers begin here; 0 and 1 have a meaning of their own on InfiniBand. */
enum { LB_QP_FIRST = 0x20 };

extern struct lb_qp *lb_qps[LB_MAX_QP];

/* The queue pair of a number, or NULL. */
static inline struct lb_qp *lb_qp_find(uint32_t number)
{
    uint32_t place = number - LB_QP_FIRST;

    return LIKELY(place < LB_MAX_QP) ? lb_qps[place] : NULL;
}

/* Moves to the error state, and flushes all work. Does nothing to one that is there, or in RESET. */
void lb_qp_fail(struct lb_qp *qp);

/* The same, with an event that says why. */
void lb_qp_fail_with(struct lb_qp *qp, enum ibv_event_type event);

/* Breaks all queue pairs that complete into a queue. */
void lb_qps_break(const struct lb_cq *cq);

/* Moves to another state, as ibv_modify_qp has it. Gives an errno value. */
int lb_qp_move(struct lb_qp *qp, const struct ibv_qp_attr *attr, int mask);

/* Carries out what waits in the send queue, as far as that is possible now. */
void lb_run(struct lb_qp *qp);

/* Ends all work that waits, as flushed. */
void lb_flush(struct lb_qp *qp);

/* Throws all work away, without completions. */
void lb_discard(struct lb_qp *qp);

/* Queue pairs whose first send waits until the peer receives, or has a receive. */
extern struct lb_qp *lb_waiting;

/* Tries them again. */
void lb_run_waiting(void);

void lb_stop_waiting(struct lb_qp *qp);

/* Takes slots of queues; gives false when there is no memory. */
bool lb_send_queue_make(struct lb_send_queue *queue, const struct ibv_qp_cap *cap);
bool lb_receive_queue_make(struct lb_receive_queue *queue, uint32_t capacity, uint32_t max_sge);
void lb_send_queue_free(struct lb_send_queue *queue);
void lb_receive_queue_free(struct lb_receive_queue *queue);

#endif
