/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_poses_report.c: see eval_poses.h.
 */
#include "eval/eval_poses.h"

#include "base/json.h"

#include <math.h>

#define POSES_DEGREES (180 / 3.14159265358979323846)

static void put_spread(FILE *to, const char *what, const cli_eval_spread *s, double unit, const char *word)
{
    if (isnan(s->rmse)) return;
    fprintf(to, "%s%.4f %s rmse, %.4f mean, %.4f median, %.4f at most\n", what, unit * s->rmse, word, unit * s->mean,
            unit * s->median, unit * s->most);
}

void cli_eval_poses_text(FILE *to, const cli_eval_poses *e)
{
    fprintf(to, "poses       %zu compared, of %zu with %zu true ones; %.2f m of path\n", e->pairs, e->poses, e->truth,
            e->path);
    put_spread(to, "per frame   ", &e->step_translation, 100, "cm");
    put_spread(to, "            ", &e->step_rotation, POSES_DEGREES, "degrees");
    put_spread(to, "absolute    ", &e->absolute, 1, "m");
    if (e->all.parts == 0) {
        fprintf(to, "KITTI       the path is shorter than 100 m: no parts to judge\n");
        return;
    }
    fprintf(to, "KITTI       %.4f %%, %.6f degrees per m, over %zu parts\n\n", 100 * e->all.translation,
            POSES_DEGREES * e->all.rotation, e->all.parts);
    fprintf(to, "length m     parts   error %%   degrees per m\n");
    for (int k = 0; k < CLI_EVAL_LENGTHS; k++)
        if (e->lengths[k].parts > 0)
            fprintf(to, "%8.0f  %8zu  %8.4f  %14.6f\n", e->lengths[k].length, e->lengths[k].parts,
                    100 * e->lengths[k].translation, POSES_DEGREES * e->lengths[k].rotation);
}

/* Nine digits after the point: nanometres. */
static void put_number(cli_json *j, const char *key, double value)
{
    cli_json_number(j, key, round(value * 1e9) / 1e9);
}

static void put_errors(cli_json *j, const char *key, const cli_eval_spread *s, double unit)
{
    cli_json_open(j, key, '{');
    put_number(j, "rmse", unit * s->rmse);
    put_number(j, "mean", unit * s->mean);
    put_number(j, "median", unit * s->median);
    put_number(j, "max", unit * s->most);
    cli_json_close(j, '}');
}

static void put_length(cli_json *j, const cli_eval_length *of)
{
    cli_json_count(j, "parts", of->parts);
    put_number(j, "translation_percent", 100 * of->translation);
    put_number(j, "degrees_per_m", POSES_DEGREES * of->rotation);
}

void cli_eval_poses_json(FILE *to, const char *path, const char *truth, const cli_eval_poses *e)
{
    cli_json j = cli_json_begin(to, "eval");
    cli_json_text(&j, "poses", path);
    cli_json_text(&j, "truth", truth);
    cli_json_count(&j, "compared", e->pairs);
    put_number(&j, "path_m", e->path);
    cli_json_open(&j, "per_frame", '{');
    put_errors(&j, "translation_m", &e->step_translation, 1);
    put_errors(&j, "rotation_degrees", &e->step_rotation, POSES_DEGREES);
    cli_json_close(&j, '}');
    put_errors(&j, "absolute_m", &e->absolute, 1);
    cli_json_open(&j, "kitti", '{');
    put_length(&j, &e->all);
    cli_json_open(&j, "lengths", '[');
    for (int k = 0; k < CLI_EVAL_LENGTHS; k++) {
        cli_json_open(&j, NULL, '{');
        put_number(&j, "length_m", e->lengths[k].length);
        put_length(&j, &e->lengths[k]);
        cli_json_close(&j, '}');
    }
    cli_json_close(&j, ']');
    cli_json_close(&j, '}');
    cli_json_end(&j);
}
