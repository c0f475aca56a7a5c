// SPDX-License-Identifier: Apache-2.0
/* Counts of calls, and calls that are to fail. */
#include "calls.h"

#include "loopback.h"

#include <errno.h>
#include <string.h>

enum { RULES = 32 };

#define LB_CALL_NAME(name) #name,
static const char *const names[LB_CALL_COUNT] = {LB_CALLS(LB_CALL_NAME)};
#undef LB_CALL_NAME

static struct rule {
    enum lb_call call;
    unsigned skip;
    unsigned count; /* 0: the rule is free */
    int error;
} rules[RULES];

uint64_t lb_call_counts[LB_CALL_COUNT];
bool lb_call_faults;

static int find(const char *function)
{
    for (int call = 0; call < LB_CALL_COUNT; call++)
        if (!strcmp(names[call], function))
            return call;
    return -1;
}

/* Each rule counts for itself; the first one that is due decides. */
int lb_call_fault(enum lb_call call)
{
    int error = 0;

    for (int i = 0; i < RULES; i++) {
        struct rule *rule = &rules[i];

        if (!rule->count || rule->call != call)
            continue;
        if (rule->skip) {
            rule->skip--;
        } else if (!error) {
            rule->count--;
            error = rule->error;
        }
    }
    return error;
}

int lb_enter(enum lb_call call)
{
    int error;

    lb_lock();
    error = lb_called(call);
    lb_unlock();
    return error;
}

bool lb_may(enum lb_call call)
{
    int error = lb_enter(call);

    if (error)
        errno = error;
    return !error;
}

int loopback_fail_call(const char *function, unsigned skip, unsigned count, int error)
{
    int call = find(function);
    int result = -1;

    if (call < 0 || !count || error <= 0)
        return -1;
    lb_lock();
    for (int i = 0; i < RULES && result; i++) {
        if (!rules[i].count) {
            rules[i] = (struct rule){.call = call, .skip = skip, .count = count, .error = error};
            lb_call_faults = true;
            result = 0;
        }
    }
    lb_unlock();
    return result;
}

void lb_call_faults_clear(void)
{
    memset(rules, 0, sizeof(rules));
    lb_call_faults = false;
}

int64_t loopback_calls(const char *function)
{
    int call = find(function);
    int64_t count;

    if (call < 0)
        return -1;
    lb_lock();
    count = lb_call_counts[call];
    lb_unlock();
    return count;
}
