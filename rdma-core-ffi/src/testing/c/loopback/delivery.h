/* SPDX-License-Identifier: Apache-2.0 */
/* Carrying work out: what two adapters and the wire between them do. Under the lock. */
#ifndef LOOPBACK_DELIVERY_H
#define LOOPBACK_DELIVERY_H

#include "queue_pair.h"

enum { LB_NO_EVENT = -1 };

/* What came of a piece of work. */
struct lb_outcome {
    struct lb_end end;
    struct lb_qp *peer;
    bool waits;         /* nothing happened: the peer is not ready, and it is to be tried again */
    bool receive_ended; /* the peer has a completion */
    bool peer_fails;    /* the peer goes to its error state */
    int peer_event;     /* and tells this */
    struct lb_end receive;
};

bool lb_can_carry_out(enum ibv_wr_opcode opcode);

void lb_carry_out(struct lb_qp *qp, const struct lb_send *send, struct lb_outcome *outcome);

/* The elements of a receive. */
struct lb_elements {
    const struct ibv_sge *sges;
    int count;
};

/* Takes the oldest receive of a queue pair out. Its elements stay where they are until the next post. */
struct lb_elements lb_receive_take(struct lb_qp *qp, struct lb_end *end);

#endif
