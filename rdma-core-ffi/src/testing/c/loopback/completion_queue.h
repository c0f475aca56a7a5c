/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LOOPBACK_COMPLETION_QUEUE_H
#define LOOPBACK_COMPLETION_QUEUE_H

#include "objects.h"

/* All completion queues. Under the lock. */
extern struct lb_cq *lb_cqs;

/* What work ends with. `frees` slots of the work queue that counts `used` are free once it has been polled. */
struct lb_end {
    uint64_t wr_id;
    enum ibv_wc_status status;
    enum ibv_wc_opcode opcode;
    uint32_t vendor_err;
    uint32_t byte_len;
    uint32_t imm_data;
    unsigned wc_flags;
    bool receive;
    bool solicited;
    uint32_t *used;
    uint32_t frees;
};

/* Adds a completion; the queue breaks when there is no room for it. Under the lock. */
void lb_complete(struct lb_cq *cq, struct lb_qp *qp, const struct lb_end *end);

/* An overrun: nothing is added any more, and the queue pairs on it go to the error state. Under the lock. */
void lb_cq_break(struct lb_cq *cq);

/* The queue pair is going: its completions stay, but free no slots any more. Under the lock. */
void lb_cq_forget(struct lb_cq *cq, const struct lb_qp *qp);

/* Hands out what faults have kept back; gives their number. Under the lock. */
int lb_cq_release(struct lb_cq *cq);

#endif
