/* SPDX-License-Identifier: BSD-3-Clause
 *
 * methods.h: the methods of every job, one table per job. A new method is one row in methods.c and one case in each
 * backend that has it. Tests iterate the tables.
 */
#ifndef CLUMP_CORE_METHODS_H
#define CLUMP_CORE_METHODS_H

#include <clump/clump.h>

typedef struct clump_method {
    const char *name; /* as the program spells it; null: there is no method of this value */
    bool on_cpu;      /* whether the CPU backend has the method */
    bool on_cuda;     /* whether the CUDA backend has it, in builds that have one */
} clump_method;

/* The table of a job: the row of a method is at the value of its enum. */
typedef struct clump_method_table {
    const clump_method *rows;
    int count;
} clump_method_table;

extern const clump_method_table clump_ec_methods, clump_dbscan_methods, clump_erccl_methods, clump_ground_methods,
    clump_nn_methods, clump_detect_methods, clump_objects_methods;

/* Returns the row of a value; null where there is none. */
const clump_method *clump_method_at(const clump_method_table *table, int value);

/* Returns the value of a name; -1 where there is none. */
int clump_method_named(const clump_method_table *table, const char *name);

#endif
