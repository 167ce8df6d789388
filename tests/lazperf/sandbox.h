/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sandbox.h: laz-perf's decoder in a memory of its own, which it cannot leave.
 *
 *     create  ->  file: the host writes it  ->  open  ->  read, read, ...  ->  destroy
 *
 * Every call ends, whatever the file holds: each access of the decoder is checked, its calls and loop
 * iterations are counted, and its memory is limited. A failure inside is returned as one of the ends
 * below. After any end but DONE, the sandbox can only be destroyed.
 */
#ifndef CLUMP_IO_LAZ_SANDBOX_H
#define CLUMP_IO_LAZ_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

typedef struct clump_io_sandbox clump_io_sandbox;

typedef enum clump_io_sandbox_end {
    CLUMP_IO_SANDBOX_DONE = 0,
    CLUMP_IO_SANDBOX_NO_MEMORY, /* the host is out of memory */
    CLUMP_IO_SANDBOX_SHORT,     /* the decoder came to the end of the file */
    CLUMP_IO_SANDBOX_DAMAGED    /* the decoder refused the file, left its memory, or exceeded its limit of turns */
} clump_io_sandbox_end;

/* Creates a sandbox with at most `memory` bytes, which are allocated as they are used. */
clump_io_sandbox_end clump_io_sandbox_create(size_t memory, clump_io_sandbox **out);
void clump_io_sandbox_destroy(clump_io_sandbox *sandbox); /* null is fine */

/* Returns room for the file inside, to be written before open. Null: the memory is too small. */
unsigned char *clump_io_sandbox_file(clump_io_sandbox *sandbox, size_t size);

/* Sets how many loop iterations a call may take, and how many more per point. */
void clump_io_sandbox_limit(clump_io_sandbox *sandbox, uint64_t turns, uint64_t turns_point);

clump_io_sandbox_end clump_io_sandbox_open(clump_io_sandbox *sandbox, size_t record);

/* Decodes the next points. *done is how many were decoded: count if the end is DONE. */
clump_io_sandbox_end clump_io_sandbox_read(clump_io_sandbox *sandbox, unsigned char *records, size_t count,
                                           size_t *done);

#endif
