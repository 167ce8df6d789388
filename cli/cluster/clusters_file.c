/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.c: see clusters_file.h. JSON is an array with one cluster per line. CSV has one row per cluster. The
 * values are, in this order:
 *
 *     label, count, centroid x y z, lower x y z, upper x y z, box center x y, box length and width, yaw, height above
 *     ground, distance, area, density, intensity; with --axes covariance xx xy xz yy yz zz, variances, axes; of
 *     clump_objects whether it is an object, the size that it fits in, length, width, bottom, top, level and score
 *
 * JSON has the hull, too, if it was asked for. A value that is not known is null, or empty in CSV. A table of several inputs
 * begins with the column `input`.
 */
#include "cluster/clusters_file.h"

#include "common/assert.h"
#include "base/json.h"

#include <clump/info.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has_ending(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

bool cli_clusters_are_json(const char *path)
{
    return has_ending(path, ".json");
}

bool cli_clusters_are_folder(const char *path)
{
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') || cli_is_folder(path);
}

int cli_check_clusters_output(const cli_command *command, const char *path, bool each)
{
    if (!has_ending(path, ".json") && !has_ending(path, ".csv"))
        return cli_usage(command, "--clusters %s: the name must end in .json or .csv%s", path,
                         each ? ", or in / for a folder" : "");
    return cli_check_output(path);
}

/* Columns of CSV. */
static const char columns[] =
    "label,count,centroid_x,centroid_y,centroid_z,lower_x,lower_y,lower_z,upper_x,upper_y,upper_z,box_center_x,"
    "box_center_y,box_length,box_width,yaw,height_above_ground,distance,area,density,intensity";
static const char columns_of_axes[] =
    ",covariance_xx,covariance_xy,covariance_xz,covariance_yy,covariance_yz,covariance_zz,variance_1,variance_2,"
    "variance_3,axis_1_x,axis_1_y,axis_1_z,axis_2_x,axis_2_y,axis_2_z,axis_3_x,axis_3_y,axis_3_z";

/* A row of JSON or CSV that is being written, and its end. */
static const char columns_of_objects[] = ",object,fits,length,width,bottom,top,level,score";

enum { ROW_NUMBERS = 47, ROW_KEYS = 640 }; /* at most: numbers of a row, and characters of its keys */
typedef struct row {
    char text[ROW_NUMBERS * CLI_NUMBER_SIZE + ROW_KEYS], *end;
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

static void put_coordinate(row *r, float local, double origin)
{
    char *const begin = r->end;
    r->end = cli_put_coordinate(begin, local, origin);
    if (r->end == begin && r->json) put_text(r, "null");
}

static void put_number(row *r, const char *key, float value)
{
    put_key(r, key);
    put_coordinate(r, value, 0);
}

static void put_coordinates(row *r, const char *key, const float *values, const double *origin, size_t count)
{
    put_key(r, key);
    for (size_t i = 0; i < count; i++) {
        if (i) *r->end++ = ',';
        put_coordinate(r, values[i], origin[i]);
    }
    if (r->json) *r->end++ = ']';
}

static void put_numbers(row *r, const char *key, const float *values, size_t count)
{
    put_coordinates(r, key, values, (const double[6]){0}, count);
}

static void put_axes(row *r, const clump_cluster *c)
{
    put_numbers(r, ",\"covariance\":[", c->covariance, 6);
    put_numbers(r, ",\"variance\":[", c->variance, 3);
    put_numbers(r, ",\"axes\":[[", c->axes[0], 3);
    put_numbers(r, ",[", c->axes[1], 3);
    put_numbers(r, ",[", c->axes[2], 3);
    if (r->json) put_text(r, "]");
}

/* above: the origin seen from above. */
static void put_cluster(row *r, const clump_cluster *c, const cli_clusters_layout *layout, const double *above)
{
    const double *const origin = layout->origin;
    if (r->json) put_text(r, "\"label\":");
    r->end = cli_put_int(r->end, c->label);
    put_key(r, ",\"count\":");
    r->end = cli_put_int(r->end, c->count);
    put_coordinates(r, ",\"centroid\":[", c->centroid, origin, 3);
    put_coordinates(r, ",\"lower\":[", c->lower, origin, 3);
    put_coordinates(r, ",\"upper\":[", c->upper, origin, 3);
    put_coordinates(r, ",\"box_center\":[", c->box_center, above, 2);
    put_numbers(r, ",\"box_size\":[", c->box_size, 2);
    put_number(r, ",\"yaw\":", c->yaw);
    put_number(r, ",\"height_above_ground\":", c->height);
    put_number(r, ",\"distance\":", c->distance);
    put_number(r, ",\"area\":", c->area);
    put_number(r, ",\"density\":", c->density);
    put_number(r, ",\"intensity\":", c->intensity);
    if (layout->axes) put_axes(r, c);
}

static void put_object(row *r, const clump_object *o)
{
    put_key(r, ",\"object\":");
    put_text(r, r->json ? (o->object ? "true" : "false") : (o->object ? "1" : "0"));
    put_key(r, r->json ? ",\"fits\":\"" : ",");
    put_text(r, clump_fit_name(o->fits));
    if (r->json) put_text(r, "\"");
    put_number(r, ",\"length\":", o->length);
    put_number(r, ",\"width\":", o->width);
    put_number(r, ",\"bottom\":", o->bottom);
    put_number(r, ",\"top\":", o->top);
    put_key(r, ",\"level\":");
    r->end = cli_put_int(r->end, o->level);
    put_number(r, ",\"score\":", o->score);
}

static void put_class(row *r, const cli_by_class *by_class, int32_t i)
{
    put_key(r, ",\"class\":\"");
    put_text(r, cli_class_name(by_class, by_class->found[i])); /* at most 31 characters, none to escape */
    if (r->json) put_text(r, "\"");
}

/* Writes the corners of a hull: [[x,y],[x,y]]. */
static void write_hull(FILE *to, const float *corners, int32_t count, const double *above)
{
    CLUMP_ASSERT(count >= 0);
    fputs(",\"hull\":[", to);
    for (int32_t i = 0; i < count; i++) {
        row r = {.json = true};
        r.end = r.text;
        put_coordinates(&r, i ? ",[" : "[", corners + (ptrdiff_t)2 * i, above, 2);
        fwrite(r.text, 1, (size_t)(r.end - r.text), to);
    }
    fputs("]", to);
}

/* Writes a cluster without its hull; of JSON without the braces. */
static void write_numbers(FILE *to, row *r, const cli_boxes *boxes, int32_t i, const cli_clusters_layout *layout)
{
    CLUMP_ASSERT(i >= 0);
    const double above[2] = {layout->origin[0], layout->origin[layout->up == CLUMP_UP_Y ? 2 : 1]};
    r->end = r->text;
    put_cluster(r, &boxes->clusters[i], layout, above);
    if (boxes->found) put_object(r, &boxes->found[i]);
    if (layout->by_class) put_class(r, layout->by_class, i);
    fwrite(r->text, 1, (size_t)(r->end - r->text), to);
}

void cli_put_cluster(FILE *to, const cli_boxes *boxes, int32_t i, const cli_clusters_layout *layout)
{
    row r = {.json = true};
    putc('{', to);
    write_numbers(to, &r, boxes, i, layout);
}

/* Writes the name of an input as a value of CSV. */
static void write_csv_text(FILE *to, const char *text)
{
    const bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (quoted) putc('"', to);
    for (; *text; text++) {
        if (*text == '"') putc('"', to);
        putc(*text, to);
    }
    if (quoted) putc('"', to);
}

/* Writes what a row begins with: the input, if the layout has it. */
static void write_input(FILE *to, const row *r, const cli_clusters_layout *layout)
{
    cli_json j = {.file = to};
    if (r->json) putc('{', to);
    if (!layout->input) return;
    if (r->json)
        cli_json_text(&j, "input", layout->input);
    else
        write_csv_text(to, layout->input);
    putc(',', to);
}

static void write_cluster(FILE *to, row *r, const cli_boxes *boxes, int32_t i, const cli_clusters_layout *layout)
{
    write_input(to, r, layout);
    write_numbers(to, r, boxes, i, layout);
    if (boxes->hull) {
        const double above[2] = {layout->origin[0], layout->origin[layout->up == CLUMP_UP_Y ? 2 : 1]};
        const int32_t begin = boxes->hull_offsets[i];
        write_hull(to, boxes->hull + (ptrdiff_t)2 * begin, boxes->hull_offsets[i + 1] - begin, above);
    }
    fputs(r->json ? "}" : "\n", to);
}

/* Writes all clusters; those of JSON have a comma before them, the first only if it is not the first of the file. */
static void write_rows(FILE *to, bool json, bool first, const cli_boxes *boxes, int32_t count,
                       const cli_clusters_layout *layout)
{
    CLUMP_ASSERT(count >= 0);
    row r = {.json = json};
    for (int32_t i = 0; i < count; i++) {
        if (json) fputs(first && i == 0 ? "\n" : ",\n", to);
        write_cluster(to, &r, boxes, i, layout);
    }
}

int cli_clusters_open(cli_clusters_file *file, const char *path, const cli_clusters_layout *layout)
{
    *file = (cli_clusters_file){.json = cli_clusters_are_json(path)};
    CLI_TRY(cli_output_open(&file->out, path));
    if (file->json) return fputs("[", file->out.file), CLI_DONE;
    fprintf(file->out.file, "%s%s%s%s%s\n", layout->input ? "input," : "", columns, layout->axes ? columns_of_axes : "",
            layout->objects ? columns_of_objects : "", layout->by_class ? ",class" : "");
    return CLI_DONE;
}

void cli_clusters_add(cli_clusters_file *file, const cli_boxes *boxes, int32_t count, const cli_clusters_layout *layout)
{
    write_rows(file->out.file, file->json, !file->any, boxes, count, layout);
    file->any = file->any || count > 0;
}

char *cli_clusters_rows(bool json, const cli_boxes *boxes, int32_t count, const cli_clusters_layout *layout,
                        size_t *size)
{
    char *rows = NULL;
    FILE *const to = open_memstream(&rows, size);
    if (!to) return NULL;
    write_rows(to, json, false, boxes, count, layout);
    const bool whole = !ferror(to);
    if (fclose(to) == 0 && whole) return rows;
    return free(rows), NULL;
}

void cli_clusters_add_rows(cli_clusters_file *file, const char *rows, size_t size)
{
    const size_t skip = file->json && !file->any && size > 0; /* the comma */
    fwrite(rows + skip, 1, size - skip, file->out.file);
    file->any = file->any || size > 0;
}

int cli_clusters_close(cli_clusters_file *file)
{
    if (file->json) fputs("\n]\n", file->out.file);
    return cli_output_close(&file->out);
}

int cli_write_clusters(const char *path, const cli_boxes *boxes, int32_t count, const cli_clusters_layout *layout)
{
    cli_clusters_file file;
    CLI_TRY(cli_clusters_open(&file, path, layout));
    cli_clusters_add(&file, boxes, count, layout);
    return cli_clusters_close(&file);
}
