// SPDX-License-Identifier: Apache-2.0
/* Faults of work, completions, queues and devices. */
#include "faults.h"

#include "calls.h"
#include "device.h"
#include "queue_pair.h"

#include "loopback.h"

#include <string.h>

enum { RULES = 32, BOTH = LOOPBACK_SENDS | LOOPBACK_RECEIVES };

/* Which work or completions a fault is for. */
struct target {
    uint32_t qp_num;
    int kinds; /* 0: the rule is free */
    unsigned skip;
};

static struct work_rule {
    struct target target;
    enum ibv_wc_status status;
    uint32_t vendor_error;
} work_rules[RULES];

static struct drop_rule {
    struct target target;
    unsigned count;
} drop_rules[RULES];

static struct target hold;

bool lb_work_faults;
bool lb_completion_faults;

static bool is_for(const struct target *target, const struct lb_qp *qp, int kind)
{
    return (target->kinds & kind) && (!target->qp_num || target->qp_num == qp->ibv.qp_num);
}

static bool is_due(struct target *target, const struct lb_qp *qp, int kind)
{
    if (!is_for(target, qp, kind))
        return false;
    if (!target->skip)
        return true;
    target->skip--;
    return false;
}

static int kind_of(const struct lb_end *end)
{
    return end->receive ? LOOPBACK_RECEIVES : LOOPBACK_SENDS;
}

bool lb_fault_of_work(const struct lb_qp *qp, int kind, struct lb_end *end)
{
    bool found = false;

    for (int i = 0; i < RULES; i++) {
        struct work_rule *rule = &work_rules[i];

        if (is_due(&rule->target, qp, kind) && !found) {
            end->status = rule->status;
            end->vendor_err = rule->vendor_error;
            rule->target.kinds = 0;
            found = true;
        }
    }
    return found;
}

bool lb_fault_drops(const struct lb_qp *qp, const struct lb_end *end)
{
    bool found = false;

    for (int i = 0; i < RULES; i++) {
        struct drop_rule *rule = &drop_rules[i];

        if (is_due(&rule->target, qp, kind_of(end)) && !found) {
            rule->target.kinds = --rule->count ? rule->target.kinds : 0;
            found = true;
        }
    }
    return found;
}

bool lb_fault_holds(const struct lb_qp *qp, const struct lb_end *end)
{
    return is_for(&hold, qp, kind_of(end));
}

static bool is_target(uint32_t qp_num, int kinds)
{
    return kinds > 0 && kinds <= BOTH && (!qp_num || lb_qp_find(qp_num));
}

int loopback_fail_work(uint32_t qp_num, int kinds, unsigned skip, int status, uint32_t vendor_error)
{
    int result = -1;

    lb_lock();
    for (int i = 0; i < RULES && result && status > IBV_WC_SUCCESS && is_target(qp_num, kinds); i++) {
        if (!work_rules[i].target.kinds) {
            work_rules[i] = (struct work_rule){{qp_num, kinds, skip}, status, vendor_error};
            lb_work_faults = true;
            result = 0;
        }
    }
    lb_unlock();
    return result;
}

int loopback_drop_completions(uint32_t qp_num, int kinds, unsigned skip, unsigned count)
{
    int result = -1;

    lb_lock();
    for (int i = 0; i < RULES && result && count && is_target(qp_num, kinds); i++) {
        if (!drop_rules[i].target.kinds) {
            drop_rules[i] = (struct drop_rule){{qp_num, kinds, skip}, count};
            lb_completion_faults = true;
            result = 0;
        }
    }
    lb_unlock();
    return result;
}

int loopback_hold_completions(uint32_t qp_num, int kinds)
{
    int result = -1;

    lb_lock();
    if (!hold.kinds && is_target(qp_num, kinds)) {
        hold = (struct target){.qp_num = qp_num, .kinds = kinds};
        lb_completion_faults = true;
        result = 0;
    }
    lb_unlock();
    return result;
}

static int release(void)
{
    int count = 0;

    hold.kinds = 0;
    for (struct lb_cq *cq = lb_cqs; cq; cq = cq->next)
        count += lb_cq_release(cq);
    return count;
}

int loopback_release_completions(void)
{
    int count;

    lb_lock();
    count = release();
    lb_unlock();
    return count;
}

int loopback_overrun(uint32_t qp_num)
{
    struct lb_qp *qp;

    lb_lock();
    qp = lb_qp_find(qp_num);
    if (qp) {
        lb_cq_break(qp->send_cq);
        lb_cq_break(qp->recv_cq);
    }
    for (struct lb_cq *cq = lb_cqs; cq && !qp_num; cq = cq->next)
        lb_cq_break(cq);
    lb_run_waiting();
    lb_unlock();
    return qp || !qp_num ? 0 : -1;
}

int loopback_set_port(int device, int active)
{
    if (device < 0 || device >= LB_DEVICES)
        return -1;
    lb_lock();
    lb_devices[device].port_state = active ? IBV_PORT_ACTIVE : IBV_PORT_DOWN;
    lb_device_event(&lb_devices[device], active ? IBV_EVENT_PORT_ACTIVE : IBV_EVENT_PORT_ERR, LB_PORT);
    lb_run_waiting();
    lb_unlock();
    return 0;
}

int loopback_break_queue_pair(uint32_t qp_num)
{
    struct lb_qp *qp;

    lb_lock();
    qp = lb_qp_find(qp_num);
    if (qp)
        lb_qp_fail_with(qp, IBV_EVENT_QP_FATAL);
    lb_run_waiting();
    lb_unlock();
    return qp ? 0 : -1;
}

static void fail(struct lb_device *device)
{
    lb_device_event(device, IBV_EVENT_DEVICE_FATAL, 0);
    for (int place = 0; place < LB_MAX_QP; place++)
        if (lb_qps[place] && lb_qps[place]->device == device)
            lb_qp_fail(lb_qps[place]);
    lb_run_waiting();
}

int loopback_break_device(int device)
{
    if (device < 0 || device >= LB_DEVICES)
        return -1;
    lb_lock();
    lb_devices[device].broken = true;
    fail(&lb_devices[device]);
    lb_unlock();
    return 0;
}

int loopback_remove_device(int device)
{
    if (device < 0 || device >= LB_DEVICES)
        return -1;
    lb_lock();
    lb_device_remove(&lb_devices[device]);
    fail(&lb_devices[device]);
    lb_unlock();
    return 0;
}

int loopback_add_device(int device)
{
    if (device < 0 || device >= LB_DEVICES)
        return -1;
    lb_lock();
    lb_devices[device].removed = false;
    lb_unlock();
    return 0;
}

void loopback_reset(void)
{
    lb_lock();
    lb_call_faults_clear();
    memset(work_rules, 0, sizeof(work_rules));
    memset(drop_rules, 0, sizeof(drop_rules));
    release();
    lb_work_faults = lb_completion_faults = false;
    for (int device = 0; device < LB_DEVICES; device++) {
        lb_devices[device].port_state = IBV_PORT_ACTIVE;
        lb_devices[device].broken = false;
        lb_devices[device].removed = false;
    }
    lb_unlock();
}
