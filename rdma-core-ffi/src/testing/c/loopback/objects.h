/* SPDX-License-Identifier: Apache-2.0 */
/* What lies behind the pointers that callers hold: each structure of verbs.h with what the stand-in keeps beside it. */
#ifndef LOOPBACK_OBJECTS_H
#define LOOPBACK_OBJECTS_H

#include "events.h"
#include "wire.h"

#pragma GCC visibility push(default)
#include <infiniband/verbs.h>
#pragma GCC visibility pop

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* verbs.h redirects these to inline functions; here they are defined. */
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

/* Limits of the device. */
enum {
    LB_DEVICES = 2,
    LB_PORT = 1,
    LB_MAX_QP = 16384,
    LB_MAX_WR = 32768,
    LB_MAX_SGE = 32,
    LB_MAX_INLINE = 512,
    LB_MAX_CQ = 65536,
    LB_MAX_CQE = 1 << 20,
    LB_MAX_MR = 65536,
    LB_MAX_PD = 32768,
    LB_MAX_SRQ = 4096,
    LB_MAX_RD_ATOMIC = 16,
    LB_MAX_MESSAGE = 8 << 20,
    LB_ACTIVE_MTU_BYTES = 1024,
    LB_GIDS = 128,
};

/* The first word behind each structure of verbs.h says what it is, for as long as it lives. */
enum lb_magic {
    LB_CONTEXT = 0x4c420001,
    LB_PD,
    LB_MR,
    LB_CHANNEL,
    LB_CQ,
    LB_SRQ,
    LB_QP,
    LB_DEAD = 0x4c42dead,
};

struct lb_device {
    struct ibv_device ibv;
    uint64_t guid; /* network byte order */
    enum ibv_port_state port_state;
    bool broken;
    bool removed;
    int node; /* a descriptor, which stands for the node by which the kernel shows the device; 0 for none */
};

struct lb_context {
    enum lb_magic magic;
    struct lb_context *next;
    struct lb_device *device;
    struct lb_events async;
    int users;
    bool orphaned; /* its device was removed */
    struct verbs_context verbs; /* grows at its front: what callers hold is its last member */
};

struct lb_pd {
    struct ibv_pd ibv;
    enum lb_magic magic;
    int users;
};

struct lb_mr {
    struct ibv_mr ibv;
    enum lb_magic magic;
    uint64_t iova;
    unsigned access;
};

struct lb_channel {
    struct ibv_comp_channel ibv;
    enum lb_magic magic;
    struct lb_events events;
};

/* A completion, with the slots of a work queue that are free once it has been polled. */
struct lb_completion {
    struct ibv_wc wc;
    struct lb_qp *qp; /* NULL once the queue pair is gone */
    uint32_t *used;
    uint32_t frees;
    bool receive;
    bool solicited;
};

struct lb_ring {
    struct lb_completion *entries;
    uint32_t mask;
    uint32_t head; /* both run freely; what lies between is filled */
    uint32_t tail;
};

struct lb_cq {
    struct ibv_cq ibv;
    enum lb_magic magic;
    struct lb_cq *next;
    struct lb_ring ring;
    struct lb_ring held;
    enum { LB_SILENT, LB_SOLICITED, LB_ANY } armed;
    bool broken;
    int users;
    uint32_t events_reported;
    uint32_t async_reported;
};

struct lb_receive {
    uint64_t wr_id;
    int num_sge;
};

struct lb_receive_queue {
    struct lb_receive *receives;
    struct ibv_sge *sges;
    uint32_t capacity;
    uint32_t max_sge;
    uint32_t first; /* the oldest that waits */
    uint32_t waiting;
    uint32_t used; /* waiting, or completed and not polled yet */
};

struct lb_srq {
    struct ibv_srq ibv;
    enum lb_magic magic;
    struct lb_receive_queue receives;
    uint32_t limit;
    int users;
    uint32_t events_reported;
};

struct lb_send {
    uint64_t wr_id;
    enum ibv_wr_opcode opcode;
    unsigned flags;
    uint32_t imm_data;
    uint32_t rkey;
    uint64_t remote_addr;
    uint64_t compare_add;
    uint64_t swap;
    int num_sge;
    uint32_t inline_bytes;
};

struct lb_send_queue {
    struct lb_send *sends;
    struct ibv_sge *sges;
    uint8_t *inline_data;
    uint32_t capacity;
    uint32_t max_sge;
    uint32_t max_inline;
    uint32_t first; /* the oldest that waits */
    uint32_t waiting;
    uint32_t used;      /* waiting, or not covered by a polled completion yet */
    uint32_t uncovered; /* done, without a completion so far */
};

struct lb_qp {
    struct ibv_qp ibv;
    enum lb_magic magic;
    struct lb_device *device;
    struct lb_cq *send_cq;
    struct lb_cq *recv_cq;
    struct lb_receive_queue *receives; /* its own, or the shared one's */
    const struct ibv_pd *receive_pd;
    struct lb_receive_queue own;
    struct lb_send_queue sends;
    struct ibv_qp_cap cap;
    bool signal_all;
    struct ibv_qp_attr attr;
    uint32_t mtu_shift;
    uint32_t sq_psn;
    uint32_t rq_psn;
    uint64_t age; /* the lower, the older */
    bool waits;   /* until its peer is ready */
    struct lb_qp *next_waiting;
    uint32_t events_reported;
};

#define LB_OF(type, member, pointer) ((struct type *)((char *)(pointer) - offsetof(struct type, member)))

/* The object behind a pointer of the caller's; ends the process when it is none. */
#define LB_CHECKED(type, expected, member, pointer)                                                                    \
    ({                                                                                                                 \
        struct type *checked = LB_OF(type, member, pointer);                                                           \
        if (UNLIKELY(!(pointer) || checked->magic != (expected)))                                                      \
            lb_die(__func__, (pointer), #type);                                                                        \
        checked;                                                                                                       \
    })

#define lb_context(pointer) LB_CHECKED(lb_context, LB_CONTEXT, verbs.context, pointer)
#define lb_pd(pointer) LB_CHECKED(lb_pd, LB_PD, ibv, pointer)
#define lb_mr(pointer) LB_CHECKED(lb_mr, LB_MR, ibv, pointer)
#define lb_channel(pointer) LB_CHECKED(lb_channel, LB_CHANNEL, ibv, pointer)
#define lb_cq(pointer) LB_CHECKED(lb_cq, LB_CQ, ibv, pointer)
#define lb_srq(pointer) LB_CHECKED(lb_srq, LB_SRQ, ibv, pointer)
#define lb_qp(pointer) LB_CHECKED(lb_qp, LB_QP, ibv, pointer)

/* How many there are of each. Under the lock. */
struct lb_live {
    int device_lists;
    int contexts;
    int pds;
    int mrs;
    int comp_channels;
    int cqs;
    int srqs;
    int qps;
};

extern struct lb_live lb_live;

#endif
