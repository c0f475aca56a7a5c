/* SPDX-License-Identifier: Apache-2.0 */
/* What keys give access to. Under the lock. */
#ifndef LOOPBACK_MEMORY_H
#define LOOPBACK_MEMORY_H

#include "objects.h"

/*
 * A key is the region's place in the table, 7 bits that change when the place is used again, and one bit that tells the
 * remote key from the local one: neither a stale key nor the wrong one of the two goes unnoticed.
 */
enum { LB_KEY_PLACE = 8 };

extern struct lb_mr *lb_regions[LB_MAX_MR];

static inline void *lb_memory(const struct lb_mr *mr, const struct ibv_pd *pd, uint64_t address, uint64_t length)
{
    uint64_t offset = address - mr->iova;

    if (UNLIKELY(mr->ibv.pd != pd || address < mr->iova || offset > mr->ibv.length ||
                 length > mr->ibv.length - offset))
        return NULL;
    return (char *)mr->ibv.addr + offset;
}

/* The memory of an element of a work request; NULL when its key does not allow that. */
static inline void *lb_local(const struct ibv_pd *pd, const struct ibv_sge *sge, bool write)
{
    const struct lb_mr *mr = lb_regions[(sge->lkey >> LB_KEY_PLACE) % LB_MAX_MR];

    if (UNLIKELY(!mr || mr->ibv.lkey != sge->lkey || (write && !(mr->access & IBV_ACCESS_LOCAL_WRITE))))
        return NULL;
    return lb_memory(mr, pd, sge->addr, sge->length);
}

/* The memory that a peer names; NULL when the key does not allow that. */
static inline void *lb_remote(const struct ibv_pd *pd, uint64_t address, uint64_t length, uint32_t rkey, unsigned right)
{
    const struct lb_mr *mr = lb_regions[(rkey >> LB_KEY_PLACE) % LB_MAX_MR];

    if (UNLIKELY(!mr || mr->ibv.rkey != rkey || !(mr->access & right)))
        return NULL;
    return lb_memory(mr, pd, address, length);
}

#endif
