// SPDX-License-Identifier: Apache-2.0
#include "objects.h"

static const char *const statuses[] = {
    [IBV_WC_SUCCESS] = "success",
    [IBV_WC_LOC_LEN_ERR] = "local length error",
    [IBV_WC_LOC_QP_OP_ERR] = "local QP operation error",
    [IBV_WC_LOC_PROT_ERR] = "local protection error",
    [IBV_WC_WR_FLUSH_ERR] = "work request flushed",
    [IBV_WC_REM_INV_REQ_ERR] = "remote invalid request error",
    [IBV_WC_REM_ACCESS_ERR] = "remote access error",
    [IBV_WC_REM_OP_ERR] = "remote operation error",
    [IBV_WC_RETRY_EXC_ERR] = "transport retry counter exceeded",
    [IBV_WC_RNR_RETRY_EXC_ERR] = "RNR retry counter exceeded",
};

static const char *const events[] = {
    [IBV_EVENT_CQ_ERR] = "CQ error",
    [IBV_EVENT_QP_FATAL] = "QP fatal error",
    [IBV_EVENT_QP_REQ_ERR] = "QP request error",
    [IBV_EVENT_QP_ACCESS_ERR] = "QP access error",
    [IBV_EVENT_SQ_DRAINED] = "send queue drained",
    [IBV_EVENT_DEVICE_FATAL] = "device fatal error",
    [IBV_EVENT_PORT_ACTIVE] = "port active",
    [IBV_EVENT_PORT_ERR] = "port error",
    [IBV_EVENT_SRQ_LIMIT_REACHED] = "SRQ limit reached",
    [IBV_EVENT_QP_LAST_WQE_REACHED] = "last WQE reached",
};

const char *ibv_wc_status_str(enum ibv_wc_status status)
{
    size_t count = sizeof(statuses) / sizeof(*statuses);

    return (size_t)status < count && statuses[status] ? statuses[status] : "another status";
}

const char *ibv_event_type_str(enum ibv_event_type event)
{
    size_t count = sizeof(events) / sizeof(*events);

    return (size_t)event < count && events[event] ? events[event] : "another event";
}
