/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_sensor_json.c: the fuzz target for the JSON file of a sensor: the reader of JSON, and what it is read for.
 */
#include "target.h"

#include "sensors/json.h"
#include "sensors/ouster.h"

#include <string.h>

/* Touches the value and all values inside it. */
static void walk(clump_io_json value, int depth)
{
    double number, numbers[4];
    char text[16];
    size_t count;
    clump_io_json inside;
    clump_io_json_number(value, &number);
    clump_io_json_numbers(value, numbers, 4, &count);
    clump_io_json_text(value, text, sizeof text);
    if (clump_io_json_member(value, "a", &inside) && depth < 3) walk(inside, depth + 1);
    int elements = 0;
    for (const char *at = NULL; elements < 4 && clump_io_json_next(value, &at, &inside); elements++)
        if (depth < 3) walk(inside, depth + 1);
}

FUZZ_TARGET(sensor_json)
{
    clump_message why = {{0}};
    const clump_io_where where = {.message = &why};
    const char *const text = (const char *)data;
    clump_io_json root;
    clump_status status = clump_io_json_parse(&where, text, size, &root);
    if ((status == CLUMP_OK) != (root.text != NULL) || (status != CLUMP_OK && !why.text[0])) abort();
    if (root.text) walk(root, 0);
    walk((clump_io_json){text, text + size}, 0); /* not checked before */

    static clump_io_ouster_info info;
    why.text[0] = 0;
    status = clump_io_ouster_metadata(&where, text, size, &info);
    if (status != CLUMP_OK && !why.text[0]) abort();
    if (status != CLUMP_OK) return 0;
    if (!info.columns || info.columns > CLUMP_IO_OUSTER_MAX_COLUMNS || !info.pixels ||
        info.pixels > CLUMP_IO_OUSTER_MAX_PIXELS || info.layout.packet > CLUMP_IO_OUSTER_MAX_PACKET)
        abort();
    for (uint32_t i = 0; i < info.pixels; i++)
        if (info.pixel_shift[i] >= info.columns) abort();
    return 0;
}
