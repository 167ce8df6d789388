/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_assign.h: an assignment without a bound on its steps, in quadratic time, beside that of host/assign.h.
 */
#ifndef CLUMP_TESTS_ORACLE_ASSIGN_H
#define CLUMP_TESTS_ORACLE_ASSIGN_H

#include "host/assign.h"

size_t old_assign_bytes(int32_t rows, int32_t columns, int32_t most);
clump_status old_assign(clump_context *ctx, const clump_assign_job *job, void *scratch);

#endif
