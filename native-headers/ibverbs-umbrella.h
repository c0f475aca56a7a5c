/* SPDX-License-Identifier: Apache-2.0 */
/* Given to jextract for libibverbs. Which of its symbols reach Java: symbols/ibverbs-*.txt. */
#include <infiniband/verbs.h>
