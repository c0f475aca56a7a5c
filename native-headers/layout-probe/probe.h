/* SPDX-License-Identifier: Apache-2.0 */
/* Included by every layout probe, after the umbrella header; README.md beside it says how it is used. */
#ifndef LAYOUT_PROBE_H
#define LAYOUT_PROBE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints an integer expression as it is written, a tab, and its value. What C counts in 32 bits, signed or not, Java has
 * as an int, so its bits are taken as one; anything wider is taken as a Java long.
 */
#define PROBE(expression)                                                                                              \
	printf("%s\t%lld\n", #expression,                                                                              \
	       sizeof(expression) > sizeof(int) ? (long long)(expression) : (long long)(int)(expression))

/* The size of a member, which may be a path such as wr.rdma or raw[0]. */
#define SIZEOF(type, member) sizeof(((type *)0)->member)

#endif
