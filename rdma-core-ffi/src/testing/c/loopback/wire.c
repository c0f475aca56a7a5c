// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define SPINS 200

int lb_wire __attribute__((aligned(64)));

void lb_wait_for_wire(void)
{
    for (int spins = 0; __atomic_load_n(&lb_wire, __ATOMIC_RELAXED); spins++) {
        if (spins < SPINS)
            __builtin_ia32_pause();
        else
            sched_yield();
    }
}

void lb_die(const char *function, const void *pointer, const char *expected)
{
    fprintf(stderr, "loopback verbs: %s was given %p, which is no live %s\n", function, pointer, expected);
    abort();
}
