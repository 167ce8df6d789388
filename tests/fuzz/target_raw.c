/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_raw.c: the fuzz target for files without a header. The columns are the first line of the input, the
 * points are the rest.
 */
#include "target.h"

#include <clump/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FUZZ_TARGET(raw)
{
    char columns[512] = "";
    const uint8_t *end = memchr(data, '\n', size);
    const size_t length = end ? (size_t)(end - data) : 0;
    if (!end || length >= sizeof columns) return 0;
    memcpy(columns, data, length);
    for (int partial = 0; partial < 2; partial++) {
        clump_load_options options = clump_load_defaults();
        options.format = CLUMP_FORMAT_RAW;
        options.columns = columns;
        options.partial = partial;
        clump_cloud *cloud;
        clump_message why;
        const clump_status status = clump_cloud_parse(end + 1, size - length - 1, "fuzz", &options, &cloud, &why);
        if ((status == CLUMP_OK) != (cloud != NULL) || (status != CLUMP_OK && !why.text[0])) abort();
        if (!cloud) continue;
        volatile double sum = 0; /* touches every value */
        clump_field field;
        for (size_t i = 0; i < clump_cloud_points(cloud).count; i++)
            for (int a = 0; a < 3; a++) sum = sum + clump_cloud_coordinate(cloud, i, a);
        for (size_t k = 0; clump_cloud_field(cloud, k, &field); k++)
            for (size_t i = 0; i < clump_cloud_points(cloud).count; i++) sum = sum + clump_field_value(&field, i, 0);
        clump_cloud_destroy(cloud);
    }
    return 0;
}
