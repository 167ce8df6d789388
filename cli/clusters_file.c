/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.c: see clusters_file.h. JSON is an array with one cluster per line. CSV has one row per cluster. The
 * values are, in this order:
 *
 *     label, count, centroid x y z, lower x y z, upper x y z, box center x y, box length and width, yaw
 *
 * Obstacles also have their height above ground and their distance. An unknown height is null, or empty in CSV.
 */
#include "clusters_file.h"

#include "number.h"
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

/* A row of JSON or CSV that is being written, and its end. A row has at most 19 numbers. */
typedef struct row {
    char text[1024], *end;
    bool json;
} row;

static void put_text(row *r, const char *text)
{
    const size_t length = strlen(text);
    memcpy(r->end, text, length);
    r->end += length;
}

/* Writes what precedes a value: its key in JSON, a comma in CSV. */
static void put_key(row *r, const char *key)
{
    put_text(r, r->json ? key : ",");
}

static void put_number(row *r, float local, double origin)
{
    char *const begin = r->end;
    r->end = cli_put_coordinate(begin, local, origin);
    if (r->end == begin && r->json) put_text(r, "null");
}

static void put_numbers(row *r, const char *key, const float *values, const double *origin, size_t count)
{
    put_key(r, key);
    for (size_t i = 0; i < count; i++) {
        if (i) *r->end++ = ',';
        put_number(r, values[i], origin[i]);
    }
    if (r->json) *r->end++ = ']';
}

static void put_cluster(row *r, const clump_cluster *c, const cli_obstacle *o, const double *origin)
{
    const double zero[2] = {0};
    r->end = r->text;
    if (r->json) put_text(r, "{\"label\":");
    r->end = cli_put_int(r->end, c->label);
    put_key(r, ",\"count\":");
    r->end = cli_put_int(r->end, c->count);
    put_numbers(r, ",\"centroid\":[", c->centroid, origin, 3);
    put_numbers(r, ",\"lower\":[", c->lower, origin, 3);
    put_numbers(r, ",\"upper\":[", c->upper, origin, 3);
    put_numbers(r, ",\"box_center\":[", c->box_center, origin, 2);
    put_numbers(r, ",\"box_size\":[", c->box_size, zero, 2);
    put_key(r, ",\"yaw\":");
    put_number(r, c->yaw, 0);
    if (o) {
        put_key(r, ",\"height_above_ground\":");
        put_number(r, o->height, 0);
        put_key(r, ",\"distance\":");
        put_number(r, o->distance, 0);
    }
    put_text(r, r->json ? "}" : "\n");
}

int cli_write_clusters(const char *path, const clump_cluster *clusters, const cli_obstacle *obstacles, int32_t count,
                       const double *origin)
{
    cli_output out;
    CLI_TRY(cli_output_open(&out, path));
    row r = {.json = has_ending(path, ".json")};
    fputs(r.json ? "["
                 : "label,count,centroid_x,centroid_y,centroid_z,lower_x,lower_y,lower_z,upper_x,upper_y,upper_z,"
                   "box_center_x,box_center_y,box_length,box_width,yaw",
          out.file);
    if (!r.json) fputs(obstacles ? ",height_above_ground,distance\n" : "\n", out.file);
    for (int32_t i = 0; i < count; i++) {
        put_cluster(&r, &clusters[i], obstacles ? &obstacles[i] : NULL, origin);
        if (r.json) fputs(i ? ",\n" : "\n", out.file);
        fwrite(r.text, 1, (size_t)(r.end - r.text), out.file);
    }
    if (r.json) fputs("\n]\n", out.file);
    return cli_output_close(&out);
}
