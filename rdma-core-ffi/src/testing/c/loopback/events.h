/* SPDX-License-Identifier: Apache-2.0 */
/* A list of events beside a file descriptor that is readable while there are any. */
#ifndef LOOPBACK_EVENTS_H
#define LOOPBACK_EVENTS_H

#include <stdbool.h>

struct lb_event {
    struct lb_event *next;
    void *source; /* the object it is about; NULL for a port or a device */
    int type;
    int port;
};

struct lb_events {
    int fd;
    struct lb_event *first;
    struct lb_event *last;
};

/* Makes an empty list; false with errno set when there is no descriptor left. */
bool lb_events_open(struct lb_events *events);

void lb_events_close(struct lb_events *events);

/* Adds an event. Under the lock. */
void lb_events_push(struct lb_events *events, void *source, int type, int port);

/* Waits, or does not where the descriptor is non-blocking; false with errno set. There may be no event afterwards. */
bool lb_events_wait(struct lb_events *events);

/* Takes the first event, if there is one. Under the lock. */
bool lb_events_pop(struct lb_events *events, struct lb_event *event);

/* Takes out the events of an object that is going away. Under the lock. */
void lb_events_forget(struct lb_events *events, const void *source);

#endif
