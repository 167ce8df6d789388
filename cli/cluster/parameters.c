/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parameters.c: parts of the JSON object "parameters", which repeats the options of a command. A key is the name of its
 * option with _ for -. An option that was not given has its default. Infinity is null.
 */
#include "cluster/cluster.h"

#include <clump/info.h>
#include <clump/options.h>

static void put_row(cli_json *j, const char *key, const clump_option *row, const void *options)
{
    if (!options) {
        cli_json_null(j, key);
        return;
    }
    const void *const value = (const char *)options + row->offset;
    switch (row->kind) {
    case CLUMP_OPTION_BOOL:
        cli_json_bool(j, key, *(const bool *)value);
        break;
    case CLUMP_OPTION_FLOAT:
        cli_json_float(j, key, *(const float *)value);
        break;
    case CLUMP_OPTION_DOUBLE:
        cli_json_number(j, key, *(const double *)value);
        break;
    case CLUMP_OPTION_INT:
        cli_json_int(j, key, *(const int *)value);
        break;
    case CLUMP_OPTION_SIZE:
        cli_json_count(j, key, *(const size_t *)value);
        break;
    case CLUMP_OPTION_CHOICE:
        cli_json_text(j, key, row->choice(*(const int *)value));
        break;
    case CLUMP_OPTION_POINT:
        break; /* cli_put_region() writes the sensor, in file coordinates */
    }
}

void cli_put_rows(cli_json *j, const char *name, const char *only, const char *without, const void *options)
{
    const clump_option_table *const table = clump_option_table_named(name);
    for (size_t i = 0; i < table->count; i++) {
        const clump_option *const row = &table->rows[i];
        if (!row->word || (only && !cli_has_word(only, row->name)) || cli_has_word(without, row->name)) continue;
        char key[CLI_SPELLING];
        snprintf(key, sizeof key, "%s", row->word);
        for (char *c = key; *c; c++)
            if (*c == '-') *c = '_';
        put_row(j, key, row, options);
    }
}

void cli_put_limits(cli_json *j, const cli_cluster *s)
{
    cli_put_rows(j, "clustering", "min_size max_size order", NULL, &s->clustering);
}

void cli_put_clustering(cli_json *j, const cli_cluster *s)
{
    cli_put_rows(j, "clustering", NULL, NULL, &s->clustering);
    cli_json_float(j, "thin", s->thin);
    if (s->ground.remove)
        cli_put_ground(j, "remove_ground", s);
    else
        cli_json_null(j, "remove_ground");
}

void cli_put_region(cli_json *j, const cli_region *r)
{
    cli_json_numbers(j, "crop", r->crop, 6);
    cli_json_number(j, "min_range", r->min_range);
    cli_json_number(j, "max_range", r->max_range);
    cli_json_numbers(j, "sensor", r->sensor, 3);
}

void cli_put_ground(cli_json *j, const char *key, const cli_cluster *s)
{
    const clump_ground_options o = cli_ground_options(&s->ground, &s->region, (const double[3]){0});
    cli_json_open(j, key, '{');
    cli_json_text(j, "method", clump_ground_method_name(o.method));
    cli_put_rows(j, "ground", NULL, NULL, &o);
    cli_json_close(j, '}');
}
