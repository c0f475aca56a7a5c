// SPDX-License-Identifier: Apache-2.0
/*
 * The GID table, which all ports share: a hole first, and then for each address of this machine an entry of RoCE v1 and
 * one of RoCE v2, as drivers have them.
 */
#include "calls.h"
#include "device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

enum { FIRST = 1 };

struct entry {
    union ibv_gid gid;
    uint32_t type; /* IBV_GID_TYPE_ROCE_V1 or later */
    uint32_t interface;
};

static struct entry entries[LB_GIDS];
static unsigned filled = FIRST;

static bool to_gid(const struct sockaddr *address, union ibv_gid *gid)
{
    memset(gid, 0, sizeof(*gid));
    if (address && address->sa_family == AF_INET) {
        gid->raw[10] = gid->raw[11] = 0xff;
        memcpy(gid->raw + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
        return true;
    }
    if (address && address->sa_family == AF_INET6) {
        memcpy(gid->raw, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
        return true;
    }
    return false;
}

static void add(const union ibv_gid *gid, uint32_t interface)
{
    for (uint32_t type = IBV_GID_TYPE_ROCE_V1; type <= IBV_GID_TYPE_ROCE_V2; type++)
        if (filled < LB_GIDS)
            entries[filled++] = (struct entry){.gid = *gid, .type = type, .interface = interface};
}

void lb_gids_refresh(void)
{
    struct ifaddrs *addresses;
    union ibv_gid gid;

    if (getifaddrs(&addresses))
        return;
    filled = FIRST;
    for (struct ifaddrs *address = addresses; address; address = address->ifa_next)
        if ((address->ifa_flags & IFF_UP) && to_gid(address->ifa_addr, &gid) && !lb_gid_known(&gid))
            add(&gid, if_nametoindex(address->ifa_name));
    freeifaddrs(addresses);
}

bool lb_gid_filled(unsigned index)
{
    return index >= FIRST && index < filled;
}

bool lb_gid_known(const union ibv_gid *gid)
{
    for (unsigned i = FIRST; i < filled; i++)
        if (!memcmp(&entries[i].gid, gid, sizeof(*gid)))
            return true;
    return false;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid)
{
    (void)lb_context(context);
    if (!lb_may(CALL_ibv_query_gid))
        return -1;
    if (port != LB_PORT || index < 0 || index >= LB_GIDS) {
        errno = EINVAL;
        return -1;
    }
    *gid = lb_gid_filled(index) ? entries[index].gid : (union ibv_gid){.raw = {0}};
    return 0;
}

static void fill(struct ibv_gid_entry *entry, unsigned index)
{
    *entry = (struct ibv_gid_entry){
        .gid = entries[index].gid,
        .gid_index = index,
        .port_num = LB_PORT,
        .gid_type = entries[index].type,
        .ndev_ifindex = entries[index].interface,
    };
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry,
                      uint32_t flags, size_t size)
{
    int error = lb_enter(CALL_ibv_query_gid_ex);

    (void)lb_context(context);
    if (error)
        return error;
    if (port != LB_PORT || index >= LB_GIDS || flags || size < sizeof(*entry))
        return EINVAL;
    if (!lb_gid_filled(index))
        return ENODATA;
    fill(entry, index);
    return 0;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *table, size_t room, uint32_t flags,
                             size_t size)
{
    int error = lb_enter(CALL_ibv_query_gid_table);

    (void)lb_context(context);
    if (error)
        return -error;
    if (flags || size != sizeof(*table) || room < filled - FIRST)
        return -EINVAL;
    for (unsigned i = FIRST; i < filled; i++)
        fill(&table[i - FIRST], i);
    return filled - FIRST;
}
