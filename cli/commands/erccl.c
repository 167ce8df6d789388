/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.c: see erccl.h.
 */
#include "commands/erccl.h"

#include <math.h>

const char *cli_erccl_given(const cli_erccl *map)
{
    return map->cell > 0        ? "cell"
           : map->extent[0] > 0 ? "extent"
           : map->reach > 0     ? "reach"
           : map->alpha >= 0    ? "alpha"
           : map->tau >= 0      ? "tau"
           : map->beta >= 0     ? "beta"
                                : NULL;
}

int cli_erccl_check(const cli_command *self, const cli_erccl *map)
{
    if (map->tau >= 0 && map->beta >= 0)
        return cli_usage(self, "--tau and --beta say the same thing, give one of them");
    return CLI_DONE;
}

clump_erccl_options cli_erccl_options(const cli_erccl *map, const cli_cluster *s)
{
    clump_erccl_options options = clump_erccl_defaults();
    clump_erccl_method_from_name(s->method, &options.method);
    options.order = cli_order(s);
    if (map->cell > 0) options.cell = map->cell;
    if (map->extent[0] > 0) options.extent = map->extent[0], options.extent_columns = map->extent[1];
    if (map->reach > 0) options.reach = (int)map->reach;
    if (map->alpha >= 0) options.alpha = (float)map->alpha;
    if (map->tau >= 0) options.tau = (float)map->tau;
    if (map->beta >= 0) options.beta = (float)map->beta;
    if (map->beta == 0) options.tau = 0; /* to the library, beta 0 means that beta is not given */
    options.min_size = s->min_size;
    options.max_size = s->max_size;
    options.all_heights = map->all_heights;
    return options;
}

void cli_erccl_summary(char text[CLI_ERCCL_SUMMARY], const clump_erccl_options *options)
{
    char cell[CLI_NUMBER_SIZE];
    cli_float_text(cell, options->cell);
    snprintf(text, CLI_ERCCL_SUMMARY, "cells of %s, reach %d", cell, options->reach);
}

static float tau_of(const clump_erccl_options *o)
{
    return o->beta > 0 ? (float)((double)o->beta * exp(-o->reach)) : o->tau;
}

void cli_put_erccl(cli_json *j, const clump_erccl_options *o, bool beta)
{
    cli_json_float(j, "cell", o ? o->cell : NAN);
    cli_json_float(j, "extent", o ? o->extent : NAN);
    cli_json_float(j, "extent_columns", !o ? NAN : o->extent_columns > 0 ? o->extent_columns : o->extent);
    if (o)
        cli_json_int(j, "reach", o->reach);
    else
        cli_json_null(j, "reach");
    cli_json_float(j, "alpha", o ? o->alpha : NAN);
    cli_json_float(j, "tau", o ? tau_of(o) : NAN);
    cli_json_float(j, "beta", o && beta ? o->beta : NAN);
}
