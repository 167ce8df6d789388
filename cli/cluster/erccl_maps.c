/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_maps.c: see erccl_maps.h.
 */
#include "cluster/erccl_maps.h"

#include "common/assert.h"
#include "viewer/picture/picture.h"

#include "base/json.h"
#include "files/output.h"
#include "base/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ----- a map as a NumPy array: NumPy's format, version 1.0 -----------------------------------------------------------
 *
 *     93 'NUMPY' 1 0  header length (2 bytes)
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (800, 800), }      padded with spaces, ends with a newline
 *     the numbers, row by row: array[i, j] is the cell in row i and column j
 *
 * The numbers begin at a multiple of 64 bytes. clump runs on little-endian machines only, so they are written as they are. */

enum { NPY_HEAD = 10, NPY_START = 128 }; /* where the text of the header begins, and where the numbers */

static const struct {
    const char *name, *descr;
    size_t bytes;
} npy_types[] = {
    [VIEW_MAP_F32] = {"float32", "<f4", 4}, [VIEW_MAP_U8] = {"uint8", "|u1", 1}, [VIEW_MAP_I32] = {"int32", "<i4", 4}};

static const char *cli_map_type(view_map_kind kind)
{
    CLUMP_ASSERT((unsigned)kind < sizeof npy_types / sizeof *npy_types);
    return npy_types[kind].name;
}

static size_t cli_map_item(view_map_kind kind)
{
    CLUMP_ASSERT((unsigned)kind < sizeof npy_types / sizeof *npy_types);
    return npy_types[kind].bytes;
}

static void cli_put_npy_map(FILE *to, const view_map *map)
{
    static const char magic[] = "\x93NUMPY\x01";
    char header[NPY_START + 1];
    memset(header, ' ', sizeof header);
    memcpy(header, magic, sizeof magic); /* the terminating 0 is the minor version */
    header[8] = NPY_START - NPY_HEAD;
    header[9] = 0;
    const int length = snprintf(header + NPY_HEAD, sizeof header - NPY_HEAD,
                                "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                                npy_types[map->kind].descr, map->rows, map->columns);
    header[NPY_HEAD + length] = ' ';
    header[NPY_START - 1] = '\n';
    fwrite(header, 1, NPY_START, to);
    fwrite(map->data, npy_types[map->kind].bytes, map->rows * map->columns, to);
}

enum { MAPS_PATH = 4096 }; /* characters of a file name */

/* --- the maps of a run ------------------------------------------------------------------------------- */

/* Allocates the maps and names them. The order is that of the list in erccl_maps.h: four kinds of 4 bytes first, so that
 * all are aligned. False: no memory. */
static bool allocate(cli_maps *maps, const clump_erccl_options *options, clump_erccl_maps *out)
{
    const size_t rows = clump_erccl_rows(options), columns = clump_erccl_columns(options), cells = rows * columns;
    const float *const sensor = options->ground.sensor;
    const double middle[2] = {sensor[0], sensor[options->ground.up == CLUMP_UP_Y ? 2 : 1]};
    const float corner[2] = {(float)(middle[0] - 0.5 * (double)rows * (double)options->cell),
                             (float)(middle[1] - 0.5 * (double)columns * (double)options->cell)};
    uint8_t *const memory = cli_allocate(cells, 4 * 4 + 1);
    if (!memory) return false;
    *out = (clump_erccl_maps){.highest = (float *)(void *)memory,
                              .lowest = (float *)(void *)(memory + cells * 4),
                              .ground = (float *)(void *)(memory + cells * 8),
                              .labels = (int32_t *)(void *)(memory + cells * 12),
                              .obstacle = memory + cells * 16};
    const view_map list[VIEW_MAPS] = {{.name = "highest", .kind = VIEW_MAP_F32, .data = out->highest},
                                      {.name = "lowest", .kind = VIEW_MAP_F32, .data = out->lowest},
                                      {.name = "ground", .kind = VIEW_MAP_F32, .data = out->ground},
                                      {.name = "flag", .kind = VIEW_MAP_U8, .data = out->obstacle},
                                      {.name = "label", .kind = VIEW_MAP_I32, .data = out->labels}};
    *maps = (cli_maps){.count = VIEW_MAPS, .memory = memory};
    for (size_t i = 0; i < VIEW_MAPS; i++) {
        maps->list[i] = list[i];
        maps->list[i].rows = rows;
        maps->list[i].columns = columns;
        maps->list[i].cell = options->cell;
        memcpy(maps->list[i].corner, corner, sizeof corner);
    }
    return true;
}

int cli_maps_make(cli_maps *maps, const cli_maps_run *run)
{
    clump_erccl_options options = *run->options;
    int32_t *const labels = cli_allocate(run->points.count, sizeof *labels), clusters;
    if (!labels || !allocate(maps, &options, &options.maps)) {
        free(labels);
        return cli_fail("not enough memory for maps of %zu x %zu cells; a larger --cell makes them smaller",
                        clump_erccl_rows(&options), clump_erccl_columns(&options));
    }
    const clump_status status = clump_erccl(run->context, run->points, &options, labels, &clusters);
    free(labels);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(run->context, status);
}

void cli_maps_release(cli_maps *maps)
{
    free(maps->memory);
    *maps = (cli_maps){0};
}

/* --- files ------------------------------------------------------------------------------------------- */

static const char *const map_files[] = {"highest.npy", "highest.png", "lowest.npy", "lowest.png",
                                        "ground.npy",  "ground.png",  "flag.npy",   "flag.png",
                                        "label.npy",   "label.png",   "maps.json"};

/* Writes the name of a file in the folder. Returns CLI_DONE, or prints that it is too long. */
static int path_of(char path[MAPS_PATH], const char *folder, const char *name, const char *ending)
{
    const int length = snprintf(path, MAPS_PATH, "%s/%s%s", folder, name, ending);
    if (length > 0 && length < MAPS_PATH) return CLI_DONE;
    return cli_fail("%s: the name is too long", folder);
}

/* Checks that a folder which does not exist can be created. */
static int check_new_folder(const char *folder)
{
    char path[MAPS_PATH];
    const int length = snprintf(path, sizeof path, "%s", folder);
    if (length < 0 || length >= MAPS_PATH) return cli_fail("%s: the name is too long", folder);
    for (size_t end = (size_t)length; end > 1 && path[end - 1] == '/'; end--) path[end - 1] = '\0';
    return cli_check_output(path);
}

int cli_maps_check(const cli_command *self, const char *folder, const char *const *others, size_t count)
{
    if (folder[0] == '\0' || cli_is_dash(folder))
        return cli_usage(self, "--maps %s: maps are written into a folder, give its name", folder);
    struct stat there;
    if (stat(folder, &there) != 0) return check_new_folder(folder);
    if (!S_ISDIR(there.st_mode)) return cli_fail("%s: is a file; --maps needs a folder", folder);
    for (size_t i = 0; i < sizeof map_files / sizeof map_files[0]; i++) {
        char path[MAPS_PATH];
        CLI_TRY(path_of(path, folder, map_files[i], ""));
        CLI_TRY(cli_check_output(path));
        for (size_t k = 0; k < count; k++)
            if (others[k] && cli_same_output(path, others[k]))
                return cli_usage(self, "--maps writes %s, and another option names it, too", path);
    }
    return CLI_DONE;
}

static int write_npy(const view_map *map, const char *path)
{
    cli_output out;
    CLI_TRY(cli_output_open(&out, path));
    cli_put_npy_map(out.file, map);
    return cli_output_close(&out);
}

/* Copies the map with its columns in the opposite order. Null: no memory. */
static void *mirror(const view_map *map)
{
    const size_t item = cli_map_item(map->kind), columns = map->columns;
    uint8_t *const copy = cli_allocate(map->rows * columns, item);
    const uint8_t *const from = map->data;
    for (size_t i = 0; copy && i < map->rows; i++)
        for (size_t j = 0; j < columns; j++)
            memcpy(copy + (i * columns + j) * item, from + (i * columns + columns - 1 - j) * item, item);
    return copy;
}

/* Seen from above, x points up in the picture. Columns then grow to the left, or to the right where they are along z or
 * where the scan is upside down. */
static bool columns_to_the_right(const cli_maps_facts *facts)
{
    return (facts->up == CLUMP_UP_Y) != facts->flip;
}

/* Writes a picture. *lacks is set, and a warning printed, where this build makes none. */
static int write_png(const view_map *map, const char *path, bool mirrored, bool *lacks)
{
    view_map shown = *map;
    void *const copy = mirrored ? mirror(map) : NULL;
    if (mirrored && !copy) return cli_fail("%s: not enough memory for the picture", path);
    if (copy) shown.data = copy;
    view_bytes png = {0};
    clump_message message = {0};
    clump_status status = view_put_map_png(&png, &shown, &message);
    if (status == CLUMP_OK && png.failed) status = CLUMP_ERR_OUT_OF_MEMORY;
    *lacks = status == CLUMP_ERR_UNSUPPORTED;
    cli_output out;
    int result = status == CLUMP_OK ? cli_output_open(&out, path) : cli_fail_message(path, status, &message);
    if (*lacks) result = CLI_DONE;
    if (status == CLUMP_OK && result == CLI_DONE) {
        fwrite(png.data, 1, png.size, out.file);
        result = cli_output_close(&out);
    }
    view_bytes_release(&png);
    free(copy);
    return result;
}

static void put_list(cli_json *j, const cli_maps *maps)
{
    cli_json_open(j, "maps", '[');
    for (size_t i = 0; i < maps->count; i++) {
        char npy[32], png[32];
        snprintf(npy, sizeof npy, "%s.npy", maps->list[i].name);
        snprintf(png, sizeof png, "%s.png", maps->list[i].name);
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "name", maps->list[i].name);
        cli_json_text(j, "type", cli_map_type(maps->list[i].kind));
        cli_json_text(j, "npy", npy);
        cli_json_text(j, "png", png);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static int write_json(const cli_maps *maps, const char *path, const cli_maps_facts *facts)
{
    const view_map *const map = &maps->list[0];
    const bool y_up = facts->up == CLUMP_UP_Y;
    const double plane[2] = {facts->origin[0], facts->origin[y_up ? 2 : 1]};
    const double up = facts->origin[y_up ? 1 : 2];
    cli_output out;
    CLI_TRY(cli_output_open(&out, path));
    cli_json j = cli_json_begin(out.file, "erccl");
    cli_json_text(&j, "input", facts->input);
    const double shape[2] = {(double)map->rows, (double)map->columns};
    cli_json_numbers(&j, "shape", shape, 2);
    if (map->rows == map->columns)
        cli_json_count(&j, "side", map->rows);
    else
        cli_json_null(&j, "side");
    cli_json_float(&j, "cell", map->cell);
    cli_json_coordinates(&j, "corner", map->corner, plane, 2);
    cli_json_text(&j, "rows", "x");
    cli_json_text(&j, "columns", y_up ? "z" : "y");
    cli_json_text(&j, "up", y_up ? "y" : "z");
    cli_json_bool(&j, "flip", facts->flip);
    cli_json_number(&j, "height_offset", up == 0 || !facts->flip ? up : -up);
    cli_json_open(&j, "picture", '{');
    cli_json_text(&j, "rows", "up");
    cli_json_text(&j, "columns", columns_to_the_right(facts) ? "right" : "left");
    cli_json_close(&j, '}');
    put_list(&j, maps);
    cli_json_end(&j);
    return cli_output_close(&out);
}

static int write_files(const cli_maps *maps, const char *folder, const cli_maps_facts *facts, cli_progress *progress)
{
    char path[MAPS_PATH];
    for (size_t i = 0; i < maps->count; i++) {
        CLI_TRY(path_of(path, folder, maps->list[i].name, ".npy"));
        CLI_TRY(write_npy(&maps->list[i], path));
        cli_progress_step(progress, i + 1);
    }
    CLI_TRY(path_of(path, folder, "maps", ".json"));
    CLI_TRY(write_json(maps, path, facts));
    bool lacks = false;
    for (size_t i = 0; i < maps->count && !lacks; i++) {
        CLI_TRY(path_of(path, folder, maps->list[i].name, ".png"));
        CLI_TRY(write_png(&maps->list[i], path, columns_to_the_right(facts), &lacks));
        cli_progress_step(progress, maps->count + i + 1);
    }
    return CLI_DONE;
}

int cli_maps_write(const cli_maps *maps, const char *folder, const cli_maps_facts *facts)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_fail("%s: cannot be created: %s", folder, strerror(errno));
    cli_progress progress;
    cli_progress_begin(&progress, "writing maps", 2 * maps->count, facts->quiet);
    const int status = write_files(maps, folder, facts, &progress);
    cli_progress_end(&progress);
    return status;
}
