/* SPDX-License-Identifier: Apache-2.0 */
/* Given to jextract for libc: memory, placement, limits, waiting. Which of its symbols reach Java: symbols/libc.txt. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
