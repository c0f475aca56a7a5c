/* SPDX-License-Identifier: Apache-2.0 */
/* The functions by number, so that calls can be counted and made to fail. */
#ifndef LOOPBACK_CALLS_H
#define LOOPBACK_CALLS_H

#include "wire.h"

#include <stdbool.h>
#include <stdint.h>

#define LB_CALLS(X)                                                                                                    \
    X(ibv_get_device_list) X(ibv_free_device_list) X(ibv_get_device_name) X(ibv_get_device_guid)                       \
    X(ibv_open_device) X(ibv_close_device)                                                                             \
    X(ibv_query_device) X(ibv_query_port) X(ibv_query_gid) X(ibv_query_gid_ex) X(ibv_query_gid_table)                  \
    X(ibv_query_pkey) X(ibv_get_async_event) X(ibv_ack_async_event)                                                    \
    X(ibv_alloc_pd) X(ibv_dealloc_pd) X(ibv_reg_mr) X(ibv_dereg_mr) X(ibv_fork_init) X(ibv_is_fork_initialized)        \
    X(ibv_create_comp_channel) X(ibv_destroy_comp_channel) X(ibv_create_cq) X(ibv_resize_cq) X(ibv_destroy_cq)         \
    X(ibv_get_cq_event) X(ibv_ack_cq_events) X(ibv_poll_cq) X(ibv_req_notify_cq)                                       \
    X(ibv_create_srq) X(ibv_modify_srq) X(ibv_query_srq) X(ibv_destroy_srq) X(ibv_post_srq_recv)                       \
    X(ibv_create_qp) X(ibv_modify_qp) X(ibv_query_qp) X(ibv_destroy_qp) X(ibv_post_send) X(ibv_post_recv)              \
    X(ibv_create_ah) X(ibv_destroy_ah) X(ibv_alloc_mw)

#define LB_CALL_NUMBER(name) CALL_##name,
enum lb_call { LB_CALLS(LB_CALL_NUMBER) LB_CALL_COUNT };
#undef LB_CALL_NUMBER

extern uint64_t lb_call_counts[LB_CALL_COUNT];
extern bool lb_call_faults;

/* The errno value with which a call is to fail, or 0. Under the lock, when there are such faults. */
int lb_call_fault(enum lb_call call);

/* Counts a call; gives the errno value with which it is to fail, or 0. Under the lock. */
static inline int lb_called(enum lb_call call)
{
    lb_call_counts[call]++;
    return UNLIKELY(lb_call_faults) ? lb_call_fault(call) : 0;
}

/* The same without the lock. */
int lb_enter(enum lb_call call);

/* The same for functions that return NULL or -1 and set errno: says whether to go on. */
bool lb_may(enum lb_call call);

/* Takes back what has not failed yet. Under the lock. */
void lb_call_faults_clear(void);

#endif
