/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock. There is one, for everything that both ends of a connection touch; work is carried out under it, by the
 * thread that posts. It spins, since it is held for nanoseconds, and gives the processor away when that lasts.
 */
#ifndef LOOPBACK_WIRE_H
#define LOOPBACK_WIRE_H

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

extern int lb_wire;

void lb_wait_for_wire(void);

static inline void lb_lock(void)
{
    while (UNLIKELY(__atomic_exchange_n(&lb_wire, 1, __ATOMIC_ACQUIRE)))
        lb_wait_for_wire();
}

static inline void lb_unlock(void)
{
    __atomic_store_n(&lb_wire, 0, __ATOMIC_RELEASE);
}

/* What a caller has done that no device survives: says so, and ends the process. */
void lb_die(const char *function, const void *pointer, const char *expected) __attribute__((noreturn, cold));

#endif
