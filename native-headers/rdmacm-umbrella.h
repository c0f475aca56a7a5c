/* SPDX-License-Identifier: Apache-2.0 */
/* Given to jextract for librdmacm. Which of its symbols reach Java: symbols/rdmacm-*.txt. */
#include <rdma/rdma_cma.h>
