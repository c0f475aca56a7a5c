// SPDX-License-Identifier: Apache-2.0
/*
 * What FirstBuffer is compared with: mapping, touching and registering memory with plain C, by one thread.
 * cc -O2 -o register register.c -libverbs && ./register [MIB...]
 */
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define REPETITIONS 5

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;

    return (difference > 0) - (difference < 0);
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double once(struct ibv_context *context, size_t bytes, int advice, double *registering)
{
    struct ibv_pd *domain = ibv_alloc_pd(context);
    double begin = now_ms(), touched, end;
    struct ibv_mr *region;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (!domain || memory == MAP_FAILED)
        fail("memory");
    madvise(memory, bytes, advice);
    for (size_t offset = 0; offset < bytes; offset += 4096)
        ((volatile char *)memory)[offset] = 0;
    touched = now_ms();
    region = ibv_reg_mr(domain, memory, bytes, IBV_ACCESS_LOCAL_WRITE);
    if (!region)
        fail("ibv_reg_mr");
    end = now_ms();
    ibv_dereg_mr(region);
    ibv_dealloc_pd(domain);
    munmap(memory, bytes);
    *registering = end - touched;
    return end - begin;
}

static void measure(struct ibv_context *context, size_t mib, int advice, const char *pages)
{
    double total[REPETITIONS], registering[REPETITIONS];

    for (int i = 0; i < REPETITIONS; i++)
        total[i] = once(context, mib << 20, advice, &registering[i]);
    qsort(total, REPETITIONS, sizeof(*total), compare);
    qsort(registering, REPETITIONS, sizeof(*registering), compare);
    printf("%zu %s 1 %.1f %.1f\n", mib, pages, total[REPETITIONS / 2], registering[REPETITIONS / 2]);
}

int main(int argc, char **argv)
{
    static char *usual[] = {"", "64", "256", "1024"};
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;

    if (!context)
        fail("no RDMA device");
    if (argc < 2) {
        argc = 4;
        argv = usual;
    }
    printf("MiB pages threads median_ms registration_ms\n");
    for (int i = 1; i < argc; i++) {
        measure(context, strtoul(argv[i], NULL, 10), MADV_NOHUGEPAGE, "NONE");
        measure(context, strtoul(argv[i], NULL, 10), MADV_HUGEPAGE, "TRANSPARENT");
    }
    ibv_close_device(context);
    ibv_free_device_list(devices);
    return 0;
}
