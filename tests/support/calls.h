/* SPDX-License-Identifier: BSD-3-Clause
 *
 * calls.h: what tests of the public calls share: contexts for the CPU, the check of a refusal, loops over the methods
 * of a job, and an allocator that counts and fails on demand. check.h comes first: the functions use its macros.
 */
#ifndef CLUMP_TESTS_CALLS_H
#define CLUMP_TESTS_CALLS_H

#include "support/check.h"
#include "core/context.h"

/* ----- contexts --------------------------------------------------------------------------------------------------- */

/* Creates a context for the CPU. */
static inline clump_context *cpu_context(int threads)
{
    clump_context_options options = clump_context_defaults();
    options.threads = threads;
    options.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    return ctx;
}

/* Creates one context for each number of threads. */
static inline void cpu_contexts(clump_context **ctx, const int *threads, int count)
{
    for (int k = 0; k < count; k++) ctx[k] = cpu_context(threads[k]);
}

static inline void destroy_contexts(clump_context **ctx, int count)
{
    for (int k = 0; k < count; k++) clump_context_destroy(ctx[k]);
}

/* Checks that a call has failed with this status, and that its message is one sentence with these words. */
static inline void expect_failure(clump_context *ctx, clump_status status, clump_status expected, const char *words)
{
    const char *const message = clump_context_error(ctx);
    CHECK_MSG(status == expected, "status %d, expected %d (%s)", (int)status, (int)expected, words);
    CHECK_MSG(strstr(message, words), "\"%s\" does not say \"%s\"", message, words);
    CHECK_MSG(!strchr(message, '\n') && strlen(message) < 300, "\"%s\" is not one sentence", message);
}

/* ----- methods ---------------------------------------------------------------------------------------------------- */

/* Returns the first value above `value` that the CPU has; -1: none. */
static inline int next_cpu_method(const clump_method_table *table, int value)
{
    while (++value < table->count)
        if (clump_method_at(table, value) && clump_method_at(table, value)->on_cpu) return value;
    return -1;
}

/* A loop over the values of all methods that the CPU has. For programs with clump_internal. */
#define FOR_CPU_METHODS(value, table) for (int value = -1; (value = next_cpu_method(&(table), value)) >= 0;)

/* Returns the number of methods that the CPU has. */
static inline int cpu_method_count(const clump_method_table *table)
{
    int count = 0;
    FOR_CPU_METHODS (value, *table) count++;
    return count;
}

/* Returns method k % count of those that the CPU has. */
static inline int cpu_method(const clump_method_table *table, long k)
{
    int value = -1;
    for (long left = k % cpu_method_count(table); left >= 0; left--) value = next_cpu_method(table, value);
    return value;
}

/* ----- memory ----------------------------------------------------------------------------------------------------- */

/* An allocator that counts, checks what is released and fails on demand. With fail_from = -1 and no limit it never
 * fails. */
typedef struct counter {
    struct {
        void *memory; /* null: free */
        size_t size;
    } piece[1024];
    long live, calls; /* pieces held now; allocations so far */
    size_t bytes;     /* held now */
    long fail_from;   /* this allocation and, unless `once`, all later ones fail; negative: none */
    bool once;
    size_t limit; /* allocations of more bytes fail; 0: no limit */
    bool failed;  /* an allocation has failed */
} counter;

/* Returns the first piece at `memory`; aborts where there is none. */
static inline size_t count_find(const counter *c, const void *memory)
{
    for (size_t i = 0; i < sizeof c->piece / sizeof *c->piece; i++)
        if (c->piece[i].memory == memory) return i;
    fprintf(stderr, "%s: memory released that was not allocated, or too many pieces\n", check_test);
    abort();
}

static inline void *count_allocate(size_t size, size_t alignment, void *user)
{
    counter *const c = user;
    const long call = c->calls++;
    CHECK(size > 0 && alignment >= 16 && (alignment & (alignment - 1)) == 0 && size % alignment == 0);
    if ((c->limit && size > c->limit) ||
        (c->fail_from >= 0 && (c->once ? call == c->fail_from : call >= c->fail_from))) {
        c->failed = true;
        return NULL;
    }
    void *const memory = aligned_alloc(alignment, size);
    if (!memory) abort();
    memset(memory, 0xa5, size); /* garbage: no call may rely on zeroed memory */
    const size_t k = count_find(c, NULL);
    c->piece[k].memory = memory, c->piece[k].size = size;
    c->live++, c->bytes += size;
    return memory;
}

static inline void count_release(void *memory, size_t size, void *user)
{
    counter *const c = user;
    CHECK(memory != NULL);
    if (!memory) return;
    const size_t k = count_find(c, memory);
    CHECK_MSG(c->piece[k].size == size, "%zu bytes released of %zu", size, c->piece[k].size);
    c->live--, c->bytes -= c->piece[k].size;
    c->piece[k].memory = NULL;
    free(memory);
}

/* Creates a context for the CPU whose memory the counter counts. */
static inline clump_status counted_context(counter *c, int threads, clump_context **ctx)
{
    clump_context_options options = clump_context_defaults();
    options.allocator = (clump_allocator){count_allocate, count_release, c};
    options.threads = threads;
    options.backend = CLUMP_BACKEND_CPU;
    return clump_context_create(&options, ctx);
}

/* A counted context with memory for `most` points reserved. */
static inline clump_context *reserved_context(counter *c, int threads, size_t most)
{
    clump_context *ctx = NULL;
    CHECK_INT(counted_context(c, threads, &ctx), CLUMP_OK);
    CHECK_INT(clump_context_reserve(ctx, most), CLUMP_OK);
    return ctx;
}

#endif
