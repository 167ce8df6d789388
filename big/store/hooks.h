/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hooks.h: what tests change of a run. Zeroed: nothing.
 */
#ifndef CLUMP_BIG_HOOKS_H
#define CLUMP_BIG_HOOKS_H

#include <clump/big.h>

/* A change of the work folder. */
typedef enum clump_big_change {
    CLUMP_BIG_CHANGE_WRITE,
    CLUMP_BIG_CHANGE_SYNC,
    CLUMP_BIG_CHANGE_RENAME,
    CLUMP_BIG_CHANGE_TRUNCATE,
    CLUMP_BIG_CHANGE_PUNCH,
    CLUMP_BIG_CHANGE_REMOVE
} clump_big_change;

typedef struct clump_big_hooks {
    uint64_t most;        /* points per tile; 0: from the memory */
    uint32_t sample;      /* one of `sample` blocks is looked at for the plan; 0: the usual number */
    uint64_t save_every;  /* blocks between two journal records of the scatter; 0: by time */
    uint64_t window;      /* points per window of the output; 0: from the memory */
    size_t entries;       /* entries per window of the merge; 0: from the memory */
    uint64_t mail;        /* bytes per rank and round of messages; 0: from the memory */
    size_t describe;      /* bytes for the clusters that are described together; 0: from the memory */
    size_t nodes;         /* clusters that may cross tiles; 0: from the memory, or no limit with `most` */
    uint32_t first_block; /* added to the number of every block, so that indices are large */
    bool punch;           /* space is given back even where there is enough */
    bool no_sync;         /* data is not waited for: tests end processes, not machines */
    uint64_t free_bytes;  /* free space of the disk; 0: ask the system */
    uint64_t output_free; /* free space for the output, which is on another disk; 0: ask the system */
    size_t free_ram;      /* free memory of the machine; 0: ask the system */
    uint64_t machine;     /* number of the machine that the rank is on; 0: that of the system */
    /* Called before each change, also by threads. Returns 0, or an errno: the change fails with it. May end the process. */
    int (*before)(void *user, clump_big_change change);
    void *user;
} clump_big_hooks;

/* clump_big_run() with hooks, which may be null. */
clump_status clump_big_run_with(const char *const *inputs, size_t count, const char *output,
                                const clump_joint_settings *settings, const clump_big_options *options,
                                const clump_big_hooks *hooks, clump_big_result *result, clump_message *message);

#endif
