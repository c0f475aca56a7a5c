// SPDX-License-Identifier: Apache-2.0
#include "events.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool lb_events_open(struct lb_events *events)
{
    events->first = events->last = NULL;
    events->fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    return events->fd >= 0;
}

void lb_events_close(struct lb_events *events)
{
    while (events->first) {
        struct lb_event *event = events->first;

        events->first = event->next;
        free(event);
    }
    close(events->fd);
}

void lb_events_push(struct lb_events *events, void *source, int type, int port)
{
    struct lb_event *event = malloc(sizeof(*event));
    uint64_t one = 1;

    if (!event)
        abort();
    *event = (struct lb_event){.source = source, .type = type, .port = port};
    if (events->first)
        events->last->next = event;
    else
        events->first = event;
    events->last = event;
    if (write(events->fd, &one, sizeof(one)) != sizeof(one))
        abort();
}

bool lb_events_wait(struct lb_events *events)
{
    uint64_t one;

    return read(events->fd, &one, sizeof(one)) == sizeof(one);
}

bool lb_events_pop(struct lb_events *events, struct lb_event *event)
{
    struct lb_event *first = events->first;

    if (!first)
        return false;
    *event = *first;
    events->first = first->next;
    free(first);
    return true;
}

void lb_events_forget(struct lb_events *events, const void *source)
{
    struct lb_event **at = &events->first;
    struct lb_event *kept = NULL;

    while (*at) {
        struct lb_event *event = *at;

        if (event->source == source) {
            *at = event->next;
            free(event);
        } else {
            kept = event;
            at = &event->next;
        }
    }
    events->last = kept;
}
