/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_read.h: labels and true labels, from any file that has them.
 *
 *     .labels .npy   one number per point: -2 ground, -1 in no cluster, 0 and up clusters
 *     .label         SemanticKITTI: one class and one instance per point
 *     a cloud        its field 'label'; as truth also 'semantic' and 'instance', or 'truth'
 */
#ifndef CLUMP_CLI_EVAL_READ_H
#define CLUMP_CLI_EVAL_READ_H

#include "base/cli.h"

typedef struct cli_eval_source {
    int32_t *labels; /* as in eval.h */
    size_t count;
    bool pairs;         /* a label >= 0 is instance * 32768 + class */
    uint32_t *words;    /* instance << 16 | class of each point; null: no pairs */
    clump_cloud *cloud; /* null: the file has no points */
} cli_eval_source;

/* Reads a file and returns CLI_DONE, or prints what is wrong and returns CLI_FAILED. cli_eval_release() frees the
 * source in both cases. */
int cli_eval_read(const char *path, bool truth, bool quiet, cli_eval_source *out);

/* Reads the labels from the fields of a cloud, which the source does not keep. `path` is its name in messages. */
int cli_eval_read_cloud(const char *path, const clump_cloud *cloud, bool truth, cli_eval_source *out);
void cli_eval_release(cli_eval_source *source);

#endif
