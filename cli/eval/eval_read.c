/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_read.c: see eval.h.
 */
#include "eval/eval.h"

#include "common/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SemanticKITTI numbers the instances of each class by themselves in some sequences, so an instance is the pair. */
static int32_t label_of_pair(uint32_t class, uint32_t instance)
{
    switch (class) {
    case 0: /* unlabelled */
    case 1: /* outlier */
        return CLI_EVAL_UNKNOWN;
    case 40: /* road */
    case 44: /* parking */
    case 48: /* sidewalk */
    case 49: /* other ground */
    case 60: /* lane marking */
    case 72: /* terrain */
        return CLUMP_GROUND;
    default:
        return instance == 0 ? CLUMP_NOISE : (int32_t)(instance << 15 | (class & 0x7fff));
    }
}

/* Converts a number of a file to a label. */
static int32_t label_of_number(int64_t value, bool truth)
{
    if (value >= CLUMP_GROUND) return (int32_t)value;
    return truth ? CLI_EVAL_UNKNOWN : CLUMP_NOISE;
}

static int allocate_labels(const char *path, size_t count, bool pairs, cli_eval_source *out)
{
    out->count = count;
    out->pairs = pairs;
    out->labels = cli_allocate(count, sizeof *out->labels);
    if (pairs) out->words = cli_allocate(count, sizeof *out->words);
    return out->labels && (out->words || !pairs) ? CLI_DONE
                                                 : cli_fail("%s: not enough memory for %zu labels", path, count);
}

static int read_labels(const char *path, bool truth, bool pairs, cli_eval_source *out)
{
    int32_t *read = NULL;
    size_t count = 0;
    clump_message message = {0};
    const clump_status status = clump_labels_load(path, &read, &count, &message);
    if (status != CLUMP_OK) return cli_fail_message(path, status, &message);
    const int taken = allocate_labels(path, count, pairs, out);
    for (size_t i = 0; taken == CLI_DONE && i < count; i++) {
        const uint32_t word = (uint32_t)read[i];
        if (pairs) out->words[i] = word;
        out->labels[i] = pairs ? label_of_pair(word & 0xffff, word >> 16) : label_of_number(read[i], truth);
    }
    clump_labels_free(read);
    return taken;
}

/* Reads an integer of a field. False: the value is not an integer in [lowest, highest]. */
static bool read_integer(const clump_field *field, size_t i, double lowest, double highest, double *value)
{
    CLUMP_ASSERT(lowest <= highest);
    *value = clump_field_value(field, i, 0);
    return *value >= lowest && *value <= highest && floor(*value) == *value;
}

static int read_field(const char *path, const clump_field *field, bool truth, cli_eval_source *out)
{
    for (size_t i = 0; i < out->count; i++) {
        double value;
        if (!read_integer(field, i, INT32_MIN, INT32_MAX, &value))
            return cli_fail("%s: point %zu: its '%s' %g is not a label", path, i, field->name, value);
        out->labels[i] = label_of_number((int64_t)value, truth);
    }
    return CLI_DONE;
}

static int read_pairs(const char *path, const clump_field *class, const clump_field *instance, cli_eval_source *out)
{
    for (size_t i = 0; i < out->count; i++) {
        double c, n;
        if (!read_integer(class, i, 0, UINT16_MAX, &c) || !read_integer(instance, i, 0, UINT16_MAX, &n))
            return cli_fail("%s: point %zu: its 'semantic' or 'instance' is no number from 0 to 65535", path, i);
        out->words[i] = (uint32_t)n << 16 | (uint32_t)c;
        out->labels[i] = label_of_pair((uint32_t)c, (uint32_t)n);
    }
    return CLI_DONE;
}

int cli_eval_read_cloud(const char *path, const clump_cloud *cloud, bool truth, cli_eval_source *out)
{
    clump_field field, instance;
    const bool pairs =
        truth && clump_cloud_find(cloud, "semantic", &field) && clump_cloud_find(cloud, "instance", &instance);
    CLI_TRY(allocate_labels(path, clump_cloud_points(cloud).count, pairs, out));
    if (pairs) return read_pairs(path, &field, &instance, out);
    if (truth && clump_cloud_find(cloud, "truth", &field)) return read_field(path, &field, truth, out);
    if (clump_cloud_find(cloud, "label", &field)) return read_field(path, &field, truth, out);
    if (!truth) return cli_fail("%s: has no field 'label'", path);
    return cli_fail("%s: has no true labels: no field 'truth' or 'label', nor 'semantic' and 'instance'", path);
}

static int read_cloud(const char *path, bool truth, bool quiet, cli_eval_source *out)
{
    out->cloud = cli_load(&(cli_input){.path = path, .quiet = quiet});
    return out->cloud ? cli_eval_read_cloud(path, out->cloud, truth, out) : CLI_FAILED;
}

int cli_eval_read(const char *path, bool truth, bool quiet, cli_eval_source *out)
{
    switch (clump_format_of_path(path)) {
    case CLUMP_FORMAT_SEMANTICKITTI:
        return read_labels(path, truth, true, out);
    case CLUMP_FORMAT_LABELS:
    case CLUMP_FORMAT_NPY:
        return read_labels(path, truth, false, out);
    default:
        return read_cloud(path, truth, quiet, out);
    }
}

void cli_eval_release(cli_eval_source *source)
{
    free(source->labels);
    free(source->words);
    clump_cloud_destroy(source->cloud);
    *source = (cli_eval_source){0};
}
