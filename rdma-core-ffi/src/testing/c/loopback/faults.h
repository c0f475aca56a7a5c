/* SPDX-License-Identifier: Apache-2.0 */
/* What tests have asked for, as the data path sees it. Everything under the lock. */
#ifndef LOOPBACK_FAULTS_H
#define LOOPBACK_FAULTS_H

#include "completion_queue.h"

/* Whether there are faults of work, or of completions: what is asked first on every path. */
extern bool lb_work_faults;
extern bool lb_completion_faults;

/* Whether a piece of work is to end now, with which status and vendor's error. `kind` is one of loopback.h. */
bool lb_fault_of_work(const struct lb_qp *qp, int kind, struct lb_end *end);

bool lb_fault_drops(const struct lb_qp *qp, const struct lb_end *end);
bool lb_fault_holds(const struct lb_qp *qp, const struct lb_end *end);

#endif
