/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keep.c: see cluster.h.
 */
#include "cluster/cluster.h"
#include "common/assert.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"objects", "background", "ground", "noise", NULL};
enum { KEEP_OBJECTS, KEEP_BACKGROUND, KEEP_GROUND, KEEP_NOISE, KEEP_LABEL, KEEP_WRONG };

const char *cli_keep_choice(int index)
{
    CLUMP_ASSERT(index >= 0 && (size_t)index < sizeof words / sizeof *words);
    return words[index];
}

/* Returns the kind of the item of `length` characters at text, and its label if it is a label. */
static int read_item(const char *text, size_t length, int32_t *label)
{
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == length && strncmp(text, words[i], length) == 0) return i;
    if (length == 2 && strncmp(text, "-1", 2) == 0) return KEEP_NOISE;
    if (length == 2 && strncmp(text, "-2", 2) == 0) return KEEP_GROUND;
    if (length == 0 || length > 10 || strspn(text, "0123456789") < length) return KEEP_WRONG;
    const long long number = strtoll(text, NULL, 10);
    *label = (int32_t)number;
    return number <= INT32_MAX ? KEEP_LABEL : KEEP_WRONG;
}

/* Returns the next item of a list, null after the last one. */
static const char *next_item(const char *item, size_t length)
{
    return item[length] == ',' ? item + length + 1 : NULL;
}

int cli_keep_check(const cli_command *self, const char *text, bool has_background)
{
    size_t length;
    for (const char *item = text; item; item = next_item(item, length)) {
        int32_t label;
        length = strcspn(item, ",");
        const int what = read_item(item, length, &label);
        if (what == KEEP_BACKGROUND && !has_background)
            return cli_usage(self, "--keep background is for 'clump objects' and 'clump detect --by objects'");
        if (what == KEEP_WRONG)
            return cli_usage(self, "--keep: '%.*s' is neither objects, %sground, noise nor a label", (int)length, item,
                             has_background ? "background, " : "");
    }
    return CLI_DONE;
}

/* The points that --keep selects: all of a kind, or single clusters. */
typedef struct choice {
    bool kind[KEEP_LABEL];
    uint8_t *clusters; /* 1 for a selected cluster */
} choice;

static int read_choice(const char *text, int32_t clusters, choice *c)
{
    size_t length;
    for (const char *item = text; item; item = next_item(item, length)) {
        int32_t label = 0;
        length = strcspn(item, ",");
        const int what = read_item(item, length, &label);
        CLUMP_ASSERT(what != KEEP_WRONG);
        if (what != KEEP_LABEL)
            c->kind[what] = true;
        else if (label < clusters)
            c->clusters[label] = 1;
        else if (clusters == 0)
            return cli_fail("--keep %d: there is no cluster", (int)label);
        else
            return cli_fail("--keep %d: there is no such cluster, the last one is %d", (int)label, (int)clusters - 1);
    }
    return CLI_DONE;
}

int cli_keep_mask(const char *text, const cli_labelled *in, uint8_t *keep)
{
    choice c = {.clusters = calloc((size_t)in->clusters + 1, 1)};
    if (!c.clusters) return cli_fail("not enough memory to choose from %d clusters", (int)in->clusters);
    const int status = read_choice(text, in->clusters, &c);
    const bool others = c.kind[KEEP_NOISE] || (in->ground_alone && c.kind[KEEP_OBJECTS]);
    for (int32_t k = 0; k < in->clusters; k++)
        if (c.kind[!in->found || in->found[k].object ? KEEP_OBJECTS : KEEP_BACKGROUND]) c.clusters[k] = 1;
    for (size_t i = 0; i < in->count && status == CLI_DONE; i++) {
        const int32_t label = in->labels[i];
        keep[i] = label >= 0 ? c.clusters[label] : label == CLUMP_GROUND ? c.kind[KEEP_GROUND] : others;
    }
    free(c.clusters);
    return status;
}
