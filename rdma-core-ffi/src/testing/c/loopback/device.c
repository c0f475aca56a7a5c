// SPDX-License-Identifier: Apache-2.0
/* The devices, and the contexts that are open on them. */
#define _GNU_SOURCE
#include "device.h"

#include "calls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEVICE(number)                                                                                                 \
    {                                                                                                                  \
        .ibv = {.node_type = IBV_NODE_CA,                                                                              \
                .transport_type = IBV_TRANSPORT_IB,                                                                    \
                .name = "loopback" #number,                                                                            \
                .dev_name = "uverbs-loopback" #number,                                                                 \
                .ibdev_path = "/sys/class/infiniband/loopback" #number},                                               \
        .guid = 0x0##number##00000000004c02, .port_state = IBV_PORT_ACTIVE,                                            \
    }

struct lb_device lb_devices[LB_DEVICES] = {DEVICE(0), DEVICE(1)};
struct lb_context *lb_contexts;
struct lb_live lb_live;

/* A node that can go and come again, and whose number in the file system is another one then. */
static void show(struct lb_device *device)
{
    int node = device->node ? 0 : memfd_create(device->ibv.dev_name, MFD_CLOEXEC);

    if (node <= 0)
        return;
    device->node = node;
    snprintf(device->ibv.dev_path, sizeof(device->ibv.dev_path), "/proc/self/fd/%d", node);
}

void lb_device_remove(struct lb_device *device)
{
    device->removed = true;
    if (device->node)
        close(device->node);
    device->node = 0;
    for (struct lb_context *context = lb_contexts; context; context = context->next)
        if (context->device == device)
            context->orphaned = true;
}

bool lb_works(const struct lb_context *context)
{
    return !context->orphaned && !context->device->broken;
}

int lb_destroyed(struct ibv_context *context)
{
    return lb_context(context)->orphaned ? EIO : 0;
}

struct ibv_device **ibv_get_device_list(int *count)
{
    struct ibv_device **list;
    int present = 0;

    if (!lb_may(CALL_ibv_get_device_list))
        return NULL;
    list = calloc(LB_DEVICES + 1, sizeof(*list));
    if (!list)
        return NULL;
    lb_lock();
    for (int i = 0; i < LB_DEVICES; i++) {
        if (lb_devices[i].removed)
            continue;
        show(&lb_devices[i]);
        list[present++] = &lb_devices[i].ibv;
    }
    if (count)
        *count = present;
    lb_live.device_lists++;
    lb_unlock();
    return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
    lb_enter(CALL_ibv_free_device_list);
    free(list);
    lb_lock();
    lb_live.device_lists--;
    lb_unlock();
}

const char *ibv_get_device_name(struct ibv_device *device)
{
    lb_enter(CALL_ibv_get_device_name);
    return device->name;
}

__be64 ibv_get_device_guid(struct ibv_device *device)
{
    lb_enter(CALL_ibv_get_device_guid);
    return LB_OF(lb_device, ibv, device)->guid;
}

static void fill(struct lb_context *context, struct lb_device *device)
{
    struct ibv_context *ibv = &context->verbs.context;

    context->magic = LB_CONTEXT;
    context->device = device;
    context->verbs.sz = sizeof(context->verbs);
    context->verbs.query_port = lb_query_port;
    ibv->device = &device->ibv;
    ibv->cmd_fd = -1;
    ibv->async_fd = context->async.fd;
    ibv->num_comp_vectors = 1;
    ibv->abi_compat = __VERBS_ABI_IS_EXTENDED;
    ibv->ops.poll_cq = lb_poll_cq;
    ibv->ops.req_notify_cq = lb_req_notify_cq;
    ibv->ops.post_send = lb_post_send;
    ibv->ops.post_recv = lb_post_recv;
    ibv->ops.post_srq_recv = lb_post_srq_recv;
    ibv->ops.alloc_mw = lb_alloc_mw;
    pthread_mutex_init(&ibv->mutex, NULL);
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
    struct lb_context *context;

    if (!lb_may(CALL_ibv_open_device))
        return NULL;
    if (LB_OF(lb_device, ibv, device)->removed) {
        errno = ENODEV;
        return NULL;
    }
    context = calloc(1, sizeof(*context));
    if (!context)
        return NULL;
    if (!lb_events_open(&context->async)) {
        free(context);
        return NULL;
    }
    fill(context, LB_OF(lb_device, ibv, device));
    lb_lock();
    if (!lb_contexts)
        lb_gids_refresh();
    context->next = lb_contexts;
    lb_contexts = context;
    lb_live.contexts++;
    lb_unlock();
    return &context->verbs.context;
}

/* A real one takes everything that was made in it along; here that is a leak, and refused. */
int ibv_close_device(struct ibv_context *ibv)
{
    struct lb_context *context = lb_context(ibv);
    struct lb_context **at = &lb_contexts;

    if (!lb_may(CALL_ibv_close_device))
        return -1;
    lb_lock();
    if (context->users) {
        lb_unlock();
        errno = EBUSY;
        return -1;
    }
    while (*at != context)
        at = &(*at)->next;
    *at = context->next;
    context->magic = LB_DEAD;
    lb_live.contexts--;
    lb_unlock();
    lb_events_close(&context->async);
    pthread_mutex_destroy(&ibv->mutex);
    free(context);
    return 0;
}

int ibv_query_device(struct ibv_context *ibv, struct ibv_device_attr *attr)
{
    struct lb_device *device = lb_context(ibv)->device;
    int error = lb_enter(CALL_ibv_query_device);

    if (error || lb_context(ibv)->orphaned)
        return error ? error : EIO;
    *attr = (struct ibv_device_attr){
        .fw_ver = "loopback",
        .node_guid = device->guid,
        .sys_image_guid = device->guid,
        .max_mr_size = UINT64_MAX,
        .page_size_cap = 0xfffff000,
        .max_qp = LB_MAX_QP,
        .max_qp_wr = LB_MAX_WR,
        .device_cap_flags = IBV_DEVICE_RC_RNR_NAK_GEN | IBV_DEVICE_PORT_ACTIVE_EVENT,
        .max_sge = LB_MAX_SGE,
        .max_sge_rd = LB_MAX_SGE,
        .max_cq = LB_MAX_CQ,
        .max_cqe = LB_MAX_CQE,
        .max_mr = LB_MAX_MR - 1,
        .max_pd = LB_MAX_PD,
        .max_qp_rd_atom = LB_MAX_RD_ATOMIC,
        .max_res_rd_atom = LB_MAX_QP * LB_MAX_RD_ATOMIC,
        .max_qp_init_rd_atom = LB_MAX_RD_ATOMIC,
        .atomic_cap = IBV_ATOMIC_HCA,
        .max_srq = LB_MAX_SRQ,
        .max_srq_wr = LB_MAX_WR,
        .max_srq_sge = LB_MAX_SGE,
        .max_pkeys = 1,
        .phys_port_cnt = LB_PORT,
    };
    return 0;
}

int lb_query_port(struct ibv_context *ibv, uint8_t port, struct ibv_port_attr *attr, size_t size)
{
    struct lb_device *device = lb_context(ibv)->device;
    int error = lb_enter(CALL_ibv_query_port);
    struct ibv_port_attr all = {
        .state = device->port_state,
        .max_mtu = IBV_MTU_4096,
        .active_mtu = IBV_MTU_1024,
        .gid_tbl_len = LB_GIDS,
        .max_msg_sz = LB_MAX_MESSAGE,
        .pkey_tbl_len = 1,
        .max_vl_num = 1,
        .active_width = 1,
        .active_speed = 32,
        .phys_state = device->port_state == IBV_PORT_ACTIVE ? 5 : 3,
        .link_layer = IBV_LINK_LAYER_ETHERNET,
    };

    if (error || lb_context(ibv)->orphaned)
        return error ? error : EIO;
    if (port != LB_PORT)
        return EINVAL;
    memcpy(attr, &all, size < sizeof(all) ? size : sizeof(all));
    return 0;
}

/* The exported function fills what the structure had before fields were added behind link_layer. */
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr)
{
    return lb_query_port(context, port, (struct ibv_port_attr *)attr, offsetof(struct ibv_port_attr, flags));
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey)
{
    (void)lb_context(context);
    if (!lb_may(CALL_ibv_query_pkey))
        return -1;
    if (port != LB_PORT || index != 0) {
        errno = EINVAL;
        return -1;
    }
    *pkey = htons(0xffff);
    return 0;
}
