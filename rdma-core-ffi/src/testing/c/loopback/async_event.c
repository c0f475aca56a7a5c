// SPDX-License-Identifier: Apache-2.0
/* Asynchronous events: of objects, ports and devices. */
#include "calls.h"
#include "device.h"

#include <errno.h>

void lb_device_event(struct lb_device *device, enum ibv_event_type type, int port)
{
    for (struct lb_context *context = lb_contexts; context; context = context->next)
        if (context->device == device)
            lb_events_push(&context->async, NULL, type, port);
}

void lb_object_event(struct ibv_context *context, void *object, enum ibv_event_type type)
{
    lb_events_push(&lb_context(context)->async, object, type, 0);
}

/* Where an event's object counts those that were taken and those that were acknowledged. */
struct counts {
    uint32_t *reported;
    uint32_t *completed;
    pthread_mutex_t *mutex;
    pthread_cond_t *changed;
};

static bool find(enum ibv_event_type type, void *object, struct counts *counts)
{
    if (!object)
        return false;
    if (type == IBV_EVENT_CQ_ERR) {
        struct lb_cq *cq = lb_cq((struct ibv_cq *)object);

        *counts = (struct counts){&cq->async_reported, &cq->ibv.async_events_completed, &cq->ibv.mutex, &cq->ibv.cond};
    } else if (type == IBV_EVENT_SRQ_ERR || type == IBV_EVENT_SRQ_LIMIT_REACHED) {
        struct lb_srq *srq = lb_srq((struct ibv_srq *)object);

        *counts = (struct counts){&srq->events_reported, &srq->ibv.events_completed, &srq->ibv.mutex, &srq->ibv.cond};
    } else {
        struct lb_qp *qp = lb_qp((struct ibv_qp *)object);

        *counts = (struct counts){&qp->events_reported, &qp->ibv.events_completed, &qp->ibv.mutex, &qp->ibv.cond};
    }
    return true;
}

static bool take(struct lb_context *context, struct lb_event *event)
{
    struct counts counts;
    bool taken;

    lb_lock();
    taken = lb_events_pop(&context->async, event);
    if (taken && find(event->type, event->source, &counts))
        ++*counts.reported;
    lb_unlock();
    return taken;
}

int ibv_get_async_event(struct ibv_context *ibv, struct ibv_async_event *result)
{
    struct lb_context *context = lb_context(ibv);
    struct lb_event event;

    if (!lb_may(CALL_ibv_get_async_event))
        return -1;
    do {
        if (!lb_events_wait(&context->async))
            return -1;
    } while (!take(context, &event));
    *result = (struct ibv_async_event){.event_type = event.type};
    if (event.source)
        result->element.qp = event.source;
    else
        result->element.port_num = event.port;
    return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
    struct counts counts;
    bool of_object = event->event_type != IBV_EVENT_DEVICE_FATAL && event->event_type != IBV_EVENT_PORT_ACTIVE &&
                     event->event_type != IBV_EVENT_PORT_ERR;

    lb_enter(CALL_ibv_ack_async_event);
    if (of_object && find(event->event_type, event->element.qp, &counts)) {
        pthread_mutex_lock(counts.mutex);
        ++*counts.completed;
        pthread_cond_broadcast(counts.changed);
        pthread_mutex_unlock(counts.mutex);
    }
}

void lb_await_acknowledged(pthread_mutex_t *mutex, pthread_cond_t *changed, const uint32_t *completed,
                           uint32_t reported)
{
    pthread_mutex_lock(mutex);
    while (*completed != reported)
        pthread_cond_wait(changed, mutex);
    pthread_mutex_unlock(mutex);
}
