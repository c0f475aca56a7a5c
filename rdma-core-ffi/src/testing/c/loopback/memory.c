// SPDX-License-Identifier: Apache-2.0
/* Protection domains and memory regions. */
#include "memory.h"

#include "calls.h"
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    VARIANTS = 128,
    ACCESS_KNOWN = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                   IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND | IBV_ACCESS_HUGETLB,
    ACCESS_WRITING = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC,
};

struct lb_mr *lb_regions[LB_MAX_MR];

static uint8_t variants[LB_MAX_MR];
static uint32_t last_place;

struct ibv_pd *ibv_alloc_pd(struct ibv_context *ibv)
{
    struct lb_context *context = lb_context(ibv);
    struct lb_pd *pd;

    if (!lb_may(CALL_ibv_alloc_pd))
        return NULL;
    if (!lb_works(context)) {
        errno = EIO;
        return NULL;
    }
    pd = calloc(1, sizeof(*pd));
    if (!pd)
        return NULL;
    pd->ibv.context = ibv;
    pd->magic = LB_PD;
    lb_lock();
    context->users++;
    lb_live.pds++;
    lb_unlock();
    return &pd->ibv;
}

int ibv_dealloc_pd(struct ibv_pd *ibv)
{
    struct lb_pd *pd = lb_pd(ibv);
    int error = lb_enter(CALL_ibv_dealloc_pd);
    int done = lb_destroyed(ibv->context);

    if (error)
        return error;
    lb_lock();
    if (pd->users) {
        lb_unlock();
        return EBUSY;
    }
    pd->magic = LB_DEAD;
    lb_context(ibv->context)->users--;
    lb_live.pds--;
    lb_unlock();
    free(pd);
    return done;
}

/* Whether all pages are there, which pinning would need. */
static bool is_mapped(void *address, size_t length)
{
    unsigned char residence[4096];
    uintptr_t page = sysconf(_SC_PAGESIZE);
    uintptr_t at = (uintptr_t)address & ~(page - 1);
    uintptr_t end = (uintptr_t)address + length;
    size_t step = sizeof(residence) * page;

    for (; at < end; at += step)
        if (mincore((void *)at, end - at < step ? end - at : step, residence))
            return false;
    return true;
}

static int refusal(void *address, size_t length, unsigned access)
{
    if (access & ~(unsigned)ACCESS_KNOWN)
        return access & IBV_ACCESS_ON_DEMAND ? EOPNOTSUPP : EINVAL;
    if ((access & ACCESS_WRITING) && !(access & IBV_ACCESS_LOCAL_WRITE))
        return EINVAL;
    if ((uintptr_t)address + length < (uintptr_t)address)
        return EINVAL;
    return is_mapped(address, length) ? 0 : EFAULT;
}

/* Goes round, so that keys of places that are used again differ as late as possible. */
static uint32_t free_place(void)
{
    for (uint32_t i = 1; i < LB_MAX_MR; i++) {
        uint32_t place = 1 + (last_place + i - 1) % (LB_MAX_MR - 1);

        if (!lb_regions[place]) {
            last_place = place;
            return place;
        }
    }
    return 0;
}

static int add(struct lb_mr *mr)
{
    uint32_t place;

    lb_lock();
    place = free_place();
    if (place) {
        uint32_t variant = variants[place]++ % VARIANTS;

        mr->ibv.handle = place;
        mr->ibv.lkey = place << LB_KEY_PLACE | variant << 1;
        mr->ibv.rkey = mr->ibv.lkey | 1;
        lb_regions[place] = mr;
        lb_pd(mr->ibv.pd)->users++;
        lb_live.mrs++;
    }
    lb_unlock();
    return place ? 0 : ENOMEM;
}

static struct ibv_mr *make(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned access)
{
    struct lb_mr *mr;
    int error;

    if (!lb_works(lb_context(pd->context))) {
        errno = EIO;
        return NULL;
    }
    error = refusal(address, length, access);
    if (error) {
        errno = error;
        return NULL;
    }
    mr = calloc(1, sizeof(*mr));
    if (!mr)
        return NULL;
    *mr = (struct lb_mr){
        .ibv = {.context = pd->context, .pd = pd, .addr = address, .length = length},
        .magic = LB_MR,
        .iova = iova,
        .access = access,
    };
    error = add(mr);
    if (error) {
        free(mr);
        errno = error;
        return NULL;
    }
    return &mr->ibv;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access)
{
    (void)lb_pd(pd);
    return lb_may(CALL_ibv_reg_mr) ? make(pd, address, length, (uintptr_t)address, access) : NULL;
}

/* Flags in the optional range may be ignored. Counted as ibv_reg_mr, whose macro comes here. */
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned access)
{
    (void)lb_pd(pd);
    return lb_may(CALL_ibv_reg_mr) ? make(pd, address, length, iova, access & ~(unsigned)IBV_ACCESS_OPTIONAL_RANGE)
                                   : NULL;
}

int ibv_dereg_mr(struct ibv_mr *ibv)
{
    struct lb_mr *mr = lb_mr(ibv);
    int error = lb_enter(CALL_ibv_dereg_mr);
    int done = lb_destroyed(ibv->context);

    if (error)
        return error;
    lb_lock();
    lb_regions[ibv->handle] = NULL;
    lb_pd(ibv->pd)->users--;
    lb_live.mrs--;
    mr->magic = LB_DEAD;
    lb_unlock();
    free(mr);
    return done;
}

int ibv_fork_init(void)
{
    return lb_enter(CALL_ibv_fork_init);
}

enum ibv_fork_status ibv_is_fork_initialized(void)
{
    lb_enter(CALL_ibv_is_fork_initialized);
    return IBV_FORK_UNNEEDED;
}
