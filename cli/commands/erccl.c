/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.c: see erccl.h.
 */
#include "commands/erccl.h"

#include <clump/info.h>

#include <math.h>

cli_erccl cli_erccl_defaults(void)
{
    return (cli_erccl){.options = clump_erccl_defaults(), .papers = clump_papers_defaults()};
}

int cli_erccl_take(const cli_command *self, cli_cluster *s, cli_erccl *map)
{
    clump_erccl_options *const o = &map->options;
    map->has_beta = cli_was_given(self, &s->given, s, &map->papers.beta);
    if (map->has_beta && cli_was_given(self, &s->given, s, &o->tau))
        return cli_usage(self, "--tau and --beta say the same thing, give one of them");
    if (map->has_beta && map->papers.beta == 0) o->tau = 0; /* to the library, beta 0 means that beta is not given */
    if (map->extent[0] > 0) o->extent = map->extent[0], o->extent_columns = map->extent[1];
    clump_erccl_method_from_name(s->method, &o->method);
    return CLI_DONE;
}

void cli_erccl_summary(char text[CLI_ERCCL_SUMMARY], const clump_erccl_options *options)
{
    char cell[CLI_NUMBER_SIZE];
    cli_float_text(cell, options->cell);
    snprintf(text, CLI_ERCCL_SUMMARY, "cells of %s, reach %d", cell, options->reach);
}

void cli_put_erccl(cli_json *j, const cli_erccl *map)
{
    clump_erccl_options o = map ? map->options : clump_erccl_defaults();
    if (map && map->papers.beta > 0) o.tau = (float)((double)map->papers.beta * exp(-o.reach));
    cli_put_rows(j, "erccl", "cell", NULL, map ? &o : NULL);
    cli_json_float(j, "extent", map ? o.extent : NAN);
    cli_json_float(j, "extent_columns", !map ? NAN : o.extent_columns > 0 ? o.extent_columns : o.extent);
    cli_put_rows(j, "erccl", NULL, "cell", map ? &o : NULL);
    cli_json_float(j, "beta", map && map->has_beta ? map->papers.beta : NAN);
}
