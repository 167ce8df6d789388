/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.c: see clusters_file.h. JSON is an array with one cluster a line, CSV has the same
 * values in the same order:
 *
 *     label, count, centroid x y z, lower x y z, upper x y z, box center x y, box size, yaw
 *
 * and of obstacles also their height above ground, nothing or null where that is not known, and their distance.
 */
#include "clusters_file.h"

#include "json.h"
#include "output.h"

#include <string.h>
#include <strings.h>

static bool has_ending(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

int cli_check_clusters_output(const cli_command *command, const char *path)
{
    if (!has_ending(path, ".json") && !has_ending(path, ".csv"))
        return cli_usage(command, "--clusters %s: the name must end in .json or .csv", path);
    return cli_check_output(path);
}

static void put_json(FILE *file, const clump_cluster *c, const cli_obstacle *o, const double *origin)
{
    cli_json j = {.file = file};
    cli_json_open(&j, NULL, '{');
    cli_json_int(&j, "label", c->label);
    cli_json_int(&j, "count", c->count);
    cli_json_coordinates(&j, "centroid", c->centroid, origin, 3);
    cli_json_coordinates(&j, "lower", c->lower, origin, 3);
    cli_json_coordinates(&j, "upper", c->upper, origin, 3);
    cli_json_coordinates(&j, "box_center", c->box_center, origin, 2);
    cli_json_coordinates(&j, "box_size", c->box_size, (const double[2]){0}, 2);
    cli_json_float(&j, "yaw", c->yaw);
    if (o) {
        cli_json_float(&j, "height_above_ground", o->height);
        cli_json_float(&j, "distance", o->distance);
    }
    cli_json_close(&j, '}');
}

static void put_csv_values(FILE *file, const float *values, const double *origin, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[CLI_NUMBER_SIZE];
        cli_coordinate_text(text, values[i], origin[i]);
        fprintf(file, ",%s", text);
    }
}

static void put_csv(FILE *file, const clump_cluster *c, const cli_obstacle *o, const double *origin)
{
    const double zero[2] = {0};
    fprintf(file, "%ld,%ld", (long)c->label, (long)c->count);
    put_csv_values(file, c->centroid, origin, 3);
    put_csv_values(file, c->lower, origin, 3);
    put_csv_values(file, c->upper, origin, 3);
    put_csv_values(file, c->box_center, origin, 2);
    put_csv_values(file, c->box_size, zero, 2);
    put_csv_values(file, &c->yaw, zero, 1);
    if (o) {
        put_csv_values(file, &o->height, zero, 1);
        put_csv_values(file, &o->distance, zero, 1);
    }
    fputc('\n', file);
}

int cli_write_clusters(const char *path, const clump_cluster *clusters, const cli_obstacle *obstacles, int32_t count,
                       const double *origin)
{
    cli_output out;
    if (cli_output_open(&out, path) != CLI_DONE) return CLI_FAILED;
    const bool json = has_ending(path, ".json");
    fputs(json ? "["
               : "label,count,centroid_x,centroid_y,centroid_z,lower_x,lower_y,lower_z,upper_x,upper_y,upper_z,"
                 "box_center_x,box_center_y,box_length,box_width,yaw",
          out.file);
    if (!json) fputs(obstacles ? ",height_above_ground,distance\n" : "\n", out.file);
    for (int32_t i = 0; i < count; i++) {
        const cli_obstacle *const more = obstacles ? &obstacles[i] : NULL;
        if (json)
            fputs(i ? ",\n" : "\n", out.file), put_json(out.file, &clusters[i], more, origin);
        else
            put_csv(out.file, &clusters[i], more, origin);
    }
    if (json) fputs("\n]\n", out.file);
    return cli_output_close(&out);
}
