/* SPDX-License-Identifier: BSD-3-Clause
 *
 * inside.h: what sandbox.c and imports.c share.
 */
#ifndef CLUMP_IO_LAZ_INSIDE_H
#define CLUMP_IO_LAZ_INSIDE_H

#include "sandbox.h"
#include "wasm.h"

#include <lazperf.h> /* made by wasm2c */

typedef Z_clump_io_lazperf_instance_t clump_io_lazperf;

/* A function that the module exports: its index in the function table, and its first argument. */
typedef struct clump_io_wasm_export {
    uint32_t function, context;
} clump_io_wasm_export;

struct clump_io_sandbox {
    clump_io_wasm_limits limits; /* must be first */
    clump_io_lazperf module;
    size_t capacity; /* bytes of memory inside, at most */
    jmp_buf back;
    clump_io_sandbox_end end;    /* of the last call */
    uint64_t turns, turns_point; /* allowed per call, and per point */

    uint32_t class_id; /* of LASZip, as the module calls it */
    clump_io_wasm_export make, open, get_point;

    /* Addresses inside. */
    uint32_t object, file, scratch;
    uint32_t file_size, record;
    uint32_t wanted, done; /* points, of one call */
};

/* Leaves the module by longjmp() to enter(). */
_Noreturn void clump_io_sandbox_stop(clump_io_sandbox *sandbox, clump_io_sandbox_end end);

/* Grows the memory to at least size bytes; false: beyond its limit. */
bool clump_io_sandbox_grow(wasm_rt_memory_t *memory, uint32_t size);

#endif
