/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parameters.c: parts of the JSON object "parameters", which repeats the options of a command. A key is the name of its
 * option with _ for -. An option that was not given has its default. Infinity is null.
 */
#include "cluster/cluster.h"

void cli_put_limits(cli_json *j, const cli_cluster *s)
{
    cli_json_count(j, "min_size", s->min_size);
    cli_json_count(j, "max_size", s->max_size);
    cli_json_text(j, "order", s->order);
}

void cli_put_clustering(cli_json *j, const cli_cluster *s)
{
    cli_json_float(j, "eps_per_metre", s->per_metre);
    cli_json_bool(j, "2d", s->two_d);
    cli_put_limits(j, s);
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
    cli_json_float(j, "sigma", o.sigma);
    cli_json_float(j, "slope", o.slope);
    cli_json_float(j, "sensor_height", o.sensor_height);
    cli_json_float(j, "window", o.window);
    cli_json_text(j, "up", cli_up_choice((int)o.up));
    cli_json_bool(j, "flip", o.flip);
    cli_json_float(j, "extent", o.extent);
    cli_json_float(j, "tile", o.tile);
    cli_json_float(j, "bin", o.bin);
    cli_json_bool(j, "step", o.step);
    cli_json_close(j, '}');
}
