/* SPDX-License-Identifier: BSD-3-Clause
 *
 * budget.c: see job.h.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "job.h"

#include "tiles/tiles.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUDGET_FIXED  ((size_t)24 << 20) /* the program, its libraries, stacks */
#define BUDGET_THREAD ((size_t)6 << 20)  /* a block of the reader and what is picked of it */
#define BUDGET_LEAST  ((size_t)16 << 20) /* never less for the tiles of all threads */

/* Bytes per point of a tile: 12 floats, 8 index, 1 strip, 4 label, 4 label of the call, and the scratch of the method at
 * most: 46 (Euclidean clustering) or 1 + 63 (DBSCAN), measured on 1e5 ... 1e7 points. */
enum { BUDGET_EC = 75, BUDGET_DBSCAN = 93, BUDGET_LEAST_TILE = 65536 };

/* Besides with classes: 2 class, 29 the points of a group, and room for what the pieces of all groups say. */
enum { BUDGET_CLASSES = 48 };

/* Besides with thinning: 8 indices of the representatives, and 4 which of them a point has. The table needs no more than the
 * method does later. */
enum { BUDGET_THIN = 12 };

enum { BUDGET_MOST_ENTRIES = 1 << 22 }; /* of a window of the merge: the caller can cancel only between windows */

/* Returns a number in kB from a file of lines "name: number kB". 0: not there. */
static size_t read_line(const char *path, const char *name)
{
    FILE *const file = fopen(path, "r");
    char line[256];
    unsigned long long value = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0 && sscanf(line + strlen(name), ": %llu", &value) == 1) break;
        value = 0;
    }
    if (file) fclose(file);
    return (size_t)value << 10;
}

size_t clump_big_peak(void)
{
    return read_line("/proc/self/status", "VmHWM");
}

static int processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

static int threads_of(const clump_big_options *options)
{
    return options->threads > 0 ? options->threads : processors();
}

static size_t point_bytes(const clump_big_options *options, size_t min_points)
{
    return (size_t)(min_points > 0 ? BUDGET_DBSCAN : BUDGET_EC) + (options->classes ? BUDGET_CLASSES : 0) +
           (options->thin > 0 ? BUDGET_THIN : 0);
}

uint64_t clump_big_budget_with_store(const clump_big_job *job, uint64_t bytes)
{
    const uint64_t stored = job->budget.stored; /* with so much memory the store may be in it: see run.c */
    return job->disk.memory || stored <= bytes / 2 ? bytes + stored : bytes;
}

/* Returns the least memory, in MB, of which this many bytes are left for all tiles. */
static uint64_t budget_for_bytes(const clump_big_job *job, uint64_t bytes)
{
    const uint64_t rest = bytes > BUDGET_LEAST ? bytes : BUDGET_LEAST;
    const uint64_t fixed = BUDGET_FIXED + BUDGET_THREAD * (uint64_t)threads_of(job->options);
    return clump_big_budget_with_store(job, fixed + rest) / (1 << 20) + 1;
}

uint64_t clump_big_budget_for_tile(const clump_big_job *job, uint64_t points)
{
    const uint64_t threads = (uint64_t)threads_of(job->options); /* the division among threads rounds down */
    return budget_for_bytes(job, (points + threads + 1) * point_bytes(job->options, job->settings.min_points));
}

uint64_t clump_big_budget_for_ground(const clump_big_job *job, uint64_t squares)
{
    return budget_for_bytes(job, squares * CLUMP_BIG_SQUARE_BYTES);
}

clump_big_budget clump_big_budget_make(const clump_big_options *options, size_t min_points,
                                       const clump_big_hooks *hooks)
{
    clump_big_budget b = {.ram = options->ram, .threads = threads_of(options)};
    if (b.ram == 0) b.ram = (hooks->free_ram ? hooks->free_ram : read_line("/proc/meminfo", "MemAvailable")) / 2;
    if (b.ram == 0) b.ram = (size_t)1 << 30;
    while (b.threads > 1 && BUDGET_THREAD * (size_t)b.threads > b.ram / 2 && !hooks->most) b.threads--;
    const size_t bytes = point_bytes(options, min_points);
    const size_t fixed = BUDGET_FIXED + BUDGET_THREAD * (size_t)b.threads;
    const size_t rest = b.ram > fixed + BUDGET_LEAST ? b.ram - fixed : BUDGET_LEAST;
    const size_t tilers = rest / (BUDGET_LEAST_TILE * bytes);
    b.tilers = tilers < 1 ? 1 : tilers < (size_t)b.threads ? (int)tilers : b.threads;
    b.most = rest / ((size_t)b.tilers * bytes);
    if (b.most > INT32_MAX / 2) b.most = INT32_MAX / 2;
    b.buffers = rest / 2 / (size_t)b.threads;
    b.window = rest / 2 / 16 / CLUMP_BLOCK_POINTS * CLUMP_BLOCK_POINTS;
    if (b.window < CLUMP_BLOCK_POINTS) b.window = CLUMP_BLOCK_POINTS;
    if (b.window > (uint64_t)1 << 24) b.window = (uint64_t)1 << 24;
    b.entries = rest / 4 / 32;
    if (b.entries > BUDGET_MOST_ENTRIES) b.entries = BUDGET_MOST_ENTRIES;
    b.nodes = rest / 2 / CLUMP_BIG_NODE_BYTES;
    b.fixed = fixed;
    b.describe = rest;
    b.squares = rest / CLUMP_BIG_SQUARE_BYTES;
    if (hooks->most) b.most = hooks->most, b.tilers = b.threads;
    if (hooks->window) b.window = hooks->window;
    if (hooks->most || hooks->nodes) b.nodes = hooks->nodes;
    if (hooks->entries) b.entries = hooks->entries;
    if (hooks->describe) b.describe = hooks->describe;
    return b;
}
