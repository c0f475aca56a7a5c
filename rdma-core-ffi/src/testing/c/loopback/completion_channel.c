// SPDX-License-Identifier: Apache-2.0
#include "calls.h"
#include "device.h"

#include <errno.h>
#include <stdlib.h>

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
    struct lb_channel *channel;

    (void)lb_context(context);
    if (!lb_may(CALL_ibv_create_comp_channel))
        return NULL;
    channel = calloc(1, sizeof(*channel));
    if (!channel)
        return NULL;
    if (!lb_events_open(&channel->events)) {
        free(channel);
        return NULL;
    }
    channel->ibv.context = context;
    channel->ibv.fd = channel->events.fd;
    channel->magic = LB_CHANNEL;
    lb_lock();
    lb_context(context)->users++;
    lb_live.comp_channels++;
    lb_unlock();
    return &channel->ibv;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *ibv)
{
    struct lb_channel *channel = lb_channel(ibv);
    int error = lb_enter(CALL_ibv_destroy_comp_channel);

    if (error)
        return error;
    lb_lock();
    if (ibv->refcnt) {
        lb_unlock();
        return EBUSY;
    }
    lb_context(ibv->context)->users--;
    lb_live.comp_channels--;
    channel->magic = LB_DEAD;
    lb_unlock();
    lb_events_close(&channel->events);
    free(channel);
    return 0;
}

static struct lb_cq *take(struct lb_channel *channel)
{
    struct lb_event event = {.source = NULL};
    struct lb_cq *cq;

    lb_lock();
    cq = lb_events_pop(&channel->events, &event) ? event.source : NULL;
    if (cq)
        cq->events_reported++;
    lb_unlock();
    return cq;
}

int ibv_get_cq_event(struct ibv_comp_channel *ibv, struct ibv_cq **result, void **context)
{
    struct lb_channel *channel = lb_channel(ibv);
    struct lb_cq *cq;

    if (!lb_may(CALL_ibv_get_cq_event))
        return -1;
    do {
        if (!lb_events_wait(&channel->events))
            return -1;
        cq = take(channel);
    } while (!cq);
    *result = &cq->ibv;
    *context = cq->ibv.cq_context;
    return 0;
}

void ibv_ack_cq_events(struct ibv_cq *ibv, unsigned count)
{
    (void)lb_cq(ibv);
    lb_enter(CALL_ibv_ack_cq_events);
    pthread_mutex_lock(&ibv->mutex);
    ibv->comp_events_completed += count;
    pthread_cond_broadcast(&ibv->cond);
    pthread_mutex_unlock(&ibv->mutex);
}
