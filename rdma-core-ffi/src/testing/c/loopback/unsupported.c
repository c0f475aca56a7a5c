// SPDX-License-Identifier: Apache-2.0
/* What the device's attributes say it has none of: address handles and memory windows. */
#include "calls.h"
#include "device.h"

#include <errno.h>

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
    (void)lb_pd(pd);
    (void)attr;
    if (lb_may(CALL_ibv_create_ah))
        errno = EOPNOTSUPP;
    return NULL;
}

/* There are none, so this is nothing that was ever given out. */
int ibv_destroy_ah(struct ibv_ah *ah)
{
    lb_die(__func__, ah, "address handle");
}

struct ibv_mw *lb_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
    (void)lb_pd(pd);
    (void)type;
    if (lb_may(CALL_ibv_alloc_mw))
        errno = EOPNOTSUPP;
    return NULL;
}
