/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.c: writes other files as clouds are written: completely or not at all.
 */
#include "format.h"

#include <stdlib.h>
#include <string.h>

struct clump_output {
    clump_io_target target;
    char *name; /* for messages */
};

clump_status clump_output_open(const char *path, clump_temporary temporary, void *temporary_user, clump_output **out,
                               clump_message *message)
{
    const clump_io_where where = {path && clump_io_is_dash(path) ? "standard output" : path, message};
    if (message) message->text[0] = 0;
    if (out) *out = NULL;
    if (!path || !out) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_output_open: path or out is null");
    clump_output *output = calloc(1, sizeof *output);
    char *name = strdup(where.name);
    clump_status status = output && name ? CLUMP_OK : clump_io_no_memory(&where, strlen(where.name));
    if (status == CLUMP_OK) status = clump_io_target_open(&where, path, temporary, temporary_user, &output->target);
    if (status != CLUMP_OK) {
        free(output);
        free(name);
        return status;
    }
    output->name = name;
    *out = output;
    return CLUMP_OK;
}

int clump_output_file(const clump_output *output)
{
    return output ? output->target.file : -1;
}

clump_status clump_output_close(clump_output *output, bool keep, clump_message *message)
{
    if (message) message->text[0] = 0;
    if (!output) return CLUMP_OK;
    const clump_io_where where = {output->name, message};
    const clump_status status = clump_io_target_commit(&where, &output->target, keep ? 0 : -1);
    free(output->name);
    free(output);
    return keep ? status : CLUMP_OK;
}
