// SPDX-License-Identifier: Apache-2.0
/* What there is. */
#include "queue_pair.h"

#include "loopback.h"

#include <stdlib.h>
#include <string.h>

static const struct kind {
    const char *name;
    int *count;
} kinds[] = {
    {"device_lists", &lb_live.device_lists},
    {"contexts", &lb_live.contexts},
    {"pds", &lb_live.pds},
    {"mrs", &lb_live.mrs},
    {"comp_channels", &lb_live.comp_channels},
    {"cqs", &lb_live.cqs},
    {"srqs", &lb_live.srqs},
    {"qps", &lb_live.qps},
};

int loopback_live(const char *kind)
{
    int count = -1;

    lb_lock();
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (!strcmp(kinds[i].name, kind))
            count = *kinds[i].count;
    lb_unlock();
    return count;
}

/* The oldest one that is younger than the last one found. */
static const struct lb_qp *next_after(const struct lb_qp *last)
{
    const struct lb_qp *next = NULL;

    for (int place = 0; place < LB_MAX_QP; place++) {
        const struct lb_qp *qp = lb_qps[place];

        if (qp && (!last || qp->age > last->age) && (!next || qp->age < next->age))
            next = qp;
    }
    return next;
}

int loopback_queue_pairs(uint32_t *numbers, int room)
{
    int count = 0;

    lb_lock();
    for (const struct lb_qp *qp = next_after(NULL); qp; qp = next_after(qp)) {
        if (count < room)
            numbers[count] = qp->ibv.qp_num;
        count++;
    }
    lb_unlock();
    return count;
}
