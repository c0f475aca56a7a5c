/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LOOPBACK_DEVICE_H
#define LOOPBACK_DEVICE_H

#include "objects.h"

extern struct lb_device lb_devices[LB_DEVICES];

/* All open contexts. Under the lock. */
extern struct lb_context *lb_contexts;

/* Looks the addresses of this machine up, for devices that nobody has open yet. Under the lock. */
void lb_gids_refresh(void);

/* Whether an entry of the GID table is filled, and whether some entry is this GID. */
bool lb_gid_filled(unsigned index);
bool lb_gid_known(const union ibv_gid *gid);

/* Whether something can be made in a context. */
bool lb_works(const struct lb_context *context);

/* What destroying something gives that could be destroyed: with its device the kernel has destroyed it before. */
int lb_destroyed(struct ibv_context *context);

/* Takes a device away from those that have it open, and from the list. Under the lock. */
void lb_device_remove(struct lb_device *device);

/* Tells every open context of a device; port 0 for the device itself. Under the lock. */
void lb_device_event(struct lb_device *device, enum ibv_event_type type, int port);

/* Tells the context of a queue pair, completion queue or shared receive queue. Under the lock. */
void lb_object_event(struct ibv_context *context, void *object, enum ibv_event_type type);

/* Waits until all events that were taken have been acknowledged, as destroying an object does. Without the lock. */
void lb_await_acknowledged(pthread_mutex_t *mutex, pthread_cond_t *changed, const uint32_t *completed,
                           uint32_t reported);

/* The data path and what else goes through the context instead of through exported functions. */
int lb_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size);
int lb_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc);
int lb_req_notify_cq(struct ibv_cq *cq, int solicited_only);
int lb_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);
int lb_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);
int lb_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);
struct ibv_mw *lb_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);

#endif
