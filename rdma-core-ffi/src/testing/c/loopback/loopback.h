/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests tell the stand-in, and ask it: faults, and counts. All functions may be called by any thread at any time.
 * README.md beside this file explains them. Those that return int give -1 for a name, number or value that is unknown.
 */
#ifndef LOOPBACK_H
#define LOOPBACK_H

#include <stdint.h>

#pragma GCC visibility push(default)

/* Which work or completions are meant: bits. */
#define LOOPBACK_SENDS 1
#define LOOPBACK_RECEIVES 2

/* Lets `skip` calls of a function go through, and makes the `count` calls after them fail with an errno value. */
int loopback_fail_call(const char *function, unsigned skip, unsigned count, int error);

/*
 * Lets `skip` pieces of work be carried out, and ends the next one with a status of enum ibv_wc_status. A send ends
 * before anything has left; a receive ends when a message has come for it. Queue pair 0 means any.
 */
int loopback_fail_work(uint32_t qp_num, int kinds, unsigned skip, int status, uint32_t vendor_error);

/* Lets `skip` completions be, and loses the `count` ones after them. Queue pair 0 means any. */
int loopback_drop_completions(uint32_t qp_num, int kinds, unsigned skip, unsigned count);

/* From now on completions are kept back. Queue pair 0 means any. */
int loopback_hold_completions(uint32_t qp_num, int kinds);

/* Hands out what was kept back, in order, and keeps nothing back any more. Gives the number of completions. */
int loopback_release_completions(void);

/* Breaks the completion queues of a queue pair as an overrun does. Queue pair 0 means all there are. */
int loopback_overrun(uint32_t qp_num);

/* Takes a device's port down or up again, and tells every open context. Nothing gets through a port that is down. */
int loopback_set_port(int device, int active);

/* Moves a queue pair to the error state as a fault of the device does, with IBV_EVENT_QP_FATAL. */
int loopback_break_queue_pair(uint32_t qp_num);

/* Breaks a device: IBV_EVENT_DEVICE_FATAL, all its queue pairs in error, and nothing can be made on it (EIO). */
int loopback_break_device(int device);

/*
 * Removes a device as the kernel does when others have it open: IBV_EVENT_DEVICE_FATAL, all its queue pairs in error, it
 * is not listed, its node is gone. In its contexts nothing can be asked or made any more (EIO), and destroying gives EIO
 * too, since the kernel has destroyed everything before: here it is destroyed then, where libibverbs leaves its own
 * memory behind.
 */
int loopback_remove_device(int device);

/* Adds it again. Contexts from before the removal stay as they are. */
int loopback_add_device(int device);

/* Takes back every fault that has not happened yet, releases completions, and repairs ports and devices, and adds them again. */
void loopback_reset(void);

/* How often a function was called since the library was loaded. Polls that found nothing are not counted. */
int64_t loopback_calls(const char *function);

/* How many objects there are: device_lists, contexts, pds, mrs, comp_channels, cqs, srqs, qps. */
int loopback_live(const char *kind);

/* Puts the numbers of the queue pairs there are into an array, oldest first; gives how many there are. */
int loopback_queue_pairs(uint32_t *numbers, int room);

#pragma GCC visibility pop

#endif
