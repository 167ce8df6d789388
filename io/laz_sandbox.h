/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_sandbox.h: laz-perf's decoder in a memory of its own, which it cannot leave.
 *
 *     create  ->  file: the host writes it  ->  open  ->  read, read, ...  ->  destroy
 *
 * Whatever is in the file, a call ends: every access of the decoder is checked, its calls and the
 * turns of its loops are counted, its memory has a limit. What goes wrong inside comes back as one
 * of the ends below, and after any but DONE the sandbox is good for nothing but destroy.
 */
#ifndef CLUMP_IO_LAZ_SANDBOX_H
#define CLUMP_IO_LAZ_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

typedef struct clump_io_sandbox clump_io_sandbox;

typedef enum clump_io_sandbox_end {
    CLUMP_IO_SANDBOX_DONE = 0,
    CLUMP_IO_SANDBOX_NO_MEMORY, /* the host has none */
    CLUMP_IO_SANDBOX_SHORT,     /* the decoder came to the end of the file */
    CLUMP_IO_SANDBOX_DAMAGED    /* it refused the file, left its memory, or did not come to an end */
} clump_io_sandbox_end;

/* Memory for everything inside, in bytes; it is taken from the system as it is used. */
clump_io_sandbox_end clump_io_sandbox_create(size_t memory, clump_io_sandbox **out);
void clump_io_sandbox_destroy(clump_io_sandbox *sandbox); /* null is fine */

/* Room for the file inside, to be written before open; null if the memory is too small. */
unsigned char *clump_io_sandbox_file(clump_io_sandbox *sandbox, size_t size);

/* How many turns the loops inside may take in a call, and how many more for each point. */
void clump_io_sandbox_limit(clump_io_sandbox *sandbox, uint64_t turns, uint64_t turns_point);

clump_io_sandbox_end clump_io_sandbox_open(clump_io_sandbox *sandbox, size_t record);

/* The next points; *done says how many came, and is count exactly if the end is DONE. */
clump_io_sandbox_end clump_io_sandbox_read(clump_io_sandbox *sandbox, unsigned char *records, size_t count,
                                           size_t *done);

#endif
