/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud_reuse.c: clouds whose memory is used again for the next frame.
 *
 * `capacity` is the number of points that xyz and every field have room for. A field that the caller adds to a frame,
 * clump_cloud_set_field(), has this room too. The next frame does not have the field: one such field is parked, and
 * the caller gets its memory again.
 */
#include "format.h"
#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

static size_t name_size(const clump_io_shape *shape)
{
    return shape->name_size ? shape->name_size : strlen(shape->name);
}

/* Whether the cloud has these fields and perhaps more behind them. The name of a field is not that of the shape where bytes had to be replaced:
 * then the fields are made anew, which is correct but slower. */
static bool has_fields(const clump_cloud *cloud, const clump_io_shape *shapes, size_t count)
{
    if (cloud->field_count < count) return false;
    for (size_t i = 0; i < count; i++) {
        const clump_field *const field = &cloud->fields[i];
        const size_t size = name_size(&shapes[i]);
        if (field->type != shapes[i].type || field->count != shapes[i].count) return false;
        if (strlen(field->name) != size || memcmp(field->name, shapes[i].name, size) != 0) return false;
    }
    return true;
}

static void free_field(clump_field *field)
{
    free((void *)(uintptr_t)field->name);
    free((void *)(uintptr_t)field->data);
    *field = (clump_field){0};
}

static void drop_fields(clump_cloud *cloud)
{
    for (size_t i = 0; i < cloud->field_count; i++) free_field(&cloud->fields[i]);
    cloud->field_count = 0;
    free_field(&cloud->parked);
}

/* Takes away the fields behind the first `count`. The first of them is parked. */
static void park_fields(clump_cloud *cloud, size_t count)
{
    CLUMP_ASSERT(count <= cloud->field_count);
    while (cloud->field_count > count) {
        clump_field *const last = &cloud->fields[--cloud->field_count];
        free_field(cloud->field_count > count ? last : &cloud->parked);
        if (cloud->field_count == count) cloud->parked = *last;
    }
}

/* Makes everything but coordinates and fields that of a new cloud. */
static void blank(clump_cloud *cloud)
{
    if (cloud->exact) {
        free(cloud->spare);
        cloud->spare = cloud->exact;
        cloud->exact = NULL;
    }
    free(cloud->grid.steps);
    cloud->grid = (clump_io_grid){0};
    free(cloud->rest);
    cloud->rest = NULL;
    memset(cloud->origin, 0, sizeof cloud->origin);
    cloud->info = clump_cloud_describe(NULL);
    cloud->count = 0;
}

clump_status clump_io_cloud_prepare(const clump_io_where *where, clump_cloud **cloud, const clump_io_shape *shapes,
                                    size_t shape_count, size_t capacity)
{
    CLUMP_ASSERT(shapes || shape_count == 0);
    if (!*cloud) CLUMP_IO_TRY(clump_cloud_create(0, cloud, where->message));
    clump_cloud *const c = *cloud;
    const bool same = has_fields(c, shapes, shape_count);
    blank(c);
    if (same) park_fields(c, shape_count);
    if (same && c->capacity >= capacity && capacity > 0) return CLUMP_OK;

    const size_t room = capacity > c->capacity ? capacity : c->capacity;
    if (!same || c->capacity == 0) drop_fields(c);
    if (c->capacity < room || c->capacity == 0) {
        c->capacity = 0;
        CLUMP_IO_TRY(clump_io_cloud_resize(where, c, room));
        free(c->spare); /* it was for fewer points */
        c->spare = NULL;
        drop_fields(c);
    }
    c->count = room; /* fields are made for this number of points */
    clump_status status = CLUMP_OK;
    for (size_t i = c->field_count; i < shape_count && status == CLUMP_OK; i++) {
        void *data;
        status = clump_io_cloud_add_field(where, c, shapes[i].name, name_size(&shapes[i]), shapes[i].type,
                                          shapes[i].count, &data);
    }
    c->capacity = status == CLUMP_OK ? room : 0;
    clump_io_cloud_set_count(c, 0);
    return status;
}

clump_status clump_io_cloud_grow(const clump_io_where *where, clump_cloud *cloud, size_t capacity)
{
    if (capacity <= cloud->capacity) return CLUMP_OK;
    if (capacity < cloud->capacity + cloud->capacity / 2) capacity = cloud->capacity + cloud->capacity / 2;
    size_t bytes;
    if (!clump_io_multiply(capacity, 3 * sizeof(float), &bytes)) return clump_io_no_memory(where, SIZE_MAX);
    float *const xyz = realloc(cloud->xyz, bytes);
    if (!xyz) return clump_io_no_memory(where, bytes);
    cloud->xyz = xyz;
    for (size_t i = 0; i < cloud->field_count; i++) {
        clump_field *const field = &cloud->fields[i];
        if (!clump_io_multiply(capacity, field->count * clump_type_size(field->type), &bytes))
            return clump_io_no_memory(where, SIZE_MAX);
        void *const data = realloc((void *)(uintptr_t)field->data, bytes ? bytes : 1);
        if (!data) return clump_io_no_memory(where, bytes);
        field->data = data;
    }
    free_field(&cloud->parked);
    free(cloud->spare);
    cloud->spare = NULL;
    cloud->capacity = capacity;
    return CLUMP_OK;
}

void clump_io_cloud_set_count(clump_cloud *cloud, size_t count)
{
    CLUMP_ASSERT(count <= cloud->capacity || count == 0);
    cloud->count = cloud->info.width = count;
    cloud->info.height = 1;
}
